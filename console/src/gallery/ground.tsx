import { Icon, iconNames } from '../parts/icon.tsx';
import { Specimen } from './specimen.tsx';

const colours =
  `ground side surface raised sunken hover line line-strong edge text muted accent accent-tint button
  good good-tint wait wait-tint bad bad-tint go go-tint calm`.split(/\s+/);
const sizes = ['xs', 's', 'm', 'l', 'xl', '2xl'] as const;

/** What all parts are made of: colours, sizes of text, icons. */
export function Ground() {
  return (
    <>
      <Specimen title="Colours">
        <div className="swatches">
          {colours.map((name) => (
            <div key={name}>
              <svg aria-hidden>
                <rect width="100%" height="100%" fill={`var(--${name})`} />
              </svg>
              {name}
            </div>
          ))}
        </div>
      </Specimen>
      <Specimen title="Text">
        <div className="scale">
          {sizes.map((size) => (
            <p key={size} data-size={size}>
              1,234.50 EUR to Zoë Müller-Østergård ({size})
            </p>
          ))}
          <p>
            A paragraph with <a href="#text">a link</a>, <strong>something strong</strong>,{' '}
            <span className="muted">something quiet</span> and <code>a_code</code>.
          </p>
        </div>
      </Specimen>
      <Specimen title="Icons">
        <div className="swatches">
          {iconNames.map((name) => (
            <span key={name} className="row">
              <Icon name={name} />
              {name}
            </span>
          ))}
        </div>
      </Specimen>
    </>
  );
}
