import type {
  BankCalendar,
  BankScheme,
  ConnectionPartsFragment,
} from '../../../../generated/console-types/graphql.ts';
import { Choice } from '../../parts/choice.tsx';
import type { FormValues } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.operatorBusiness.connect;
const common = texts.banks.connection;

/** An object's keys are its type's. */
const allSchemes = Object.keys(texts.banks.schemes) as BankScheme[];

interface SchemeFieldsProps {
  readonly chosen: readonly BankScheme[];
  onChoose(schemes: BankScheme[]): void;
}

/** How the bank pays: the ways in the order in which they are chosen, which is that in which they are tried. */
export function SchemeFields({ chosen, onChoose }: SchemeFieldsProps) {
  return (
    <fieldset className="route">
      <legend>{words.how}</legend>
      <p className="hint muted small">{words.schemesHint}</p>
      {allSchemes.map((scheme) => (
        <label key={scheme} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(scheme)}
            onChange={({ target }) =>
              onChoose(
                target.checked ? [...chosen, scheme] : chosen.filter((one) => one !== scheme),
              )
            }
          />
          <span>{texts.banks.schemes[scheme]}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface ScheduleProps {
  /** What is there; absent for a new connection. */
  readonly of?: ConnectionPartsFragment;
}

/** The connection's name, its times and its limits. */
export function ScheduleFields({ of }: ScheduleProps) {
  const count = (
    label: string,
    name: string,
    value: number,
    [min, max]: readonly [number, number],
  ) => (
    <TextField
      label={label}
      name={name}
      type="number"
      min={min}
      max={max}
      required
      defaultValue={value}
    />
  );
  return (
    <fieldset className="route">
      <legend>{words.when}</legend>
      <TextField
        label={common.name}
        name="name"
        hint={texts.banks.connect.nameHint}
        maxLength={100}
        required
        defaultValue={of?.name}
      />
      <div className="columns">
        <TextField
          label={common.cutOff}
          name="cutOffTime"
          type="time"
          required
          defaultValue={of?.cutOffTime ?? '16:00'}
        />
        <TextField
          label={words.timeZone}
          name="timeZone"
          required
          defaultValue={of?.timeZone ?? 'Europe/Berlin'}
        />
        <Choice
          label={common.calendar}
          name="calendar"
          options={common.calendars}
          value={of?.calendar ?? 'target'}
        />
        {count(common.leadBankDays, 'leadBankDays', of?.leadBankDays ?? 1, [0, 10])}
        {count(common.returnBankDays, 'returnBankDays', of?.returnBankDays ?? 5, [1, 90])}
        {count(common.maxPayments, 'maxPayments', of?.maxPayments ?? 1_000, [1, 10_000])}
      </div>
    </fieldset>
  );
}

export const scheduleOf = (given: FormValues) => ({
  name: given('name'),
  cutOffTime: given('cutOffTime'),
  timeZone: given('timeZone'),
  calendar: given('calendar') as BankCalendar, // one of the options of its field
  leadBankDays: Number(given('leadBankDays')),
  returnBankDays: Number(given('returnBankDays')),
  maxPayments: Number(given('maxPayments')),
});

const otherKinds = Object.keys(words.otherKinds) as (keyof typeof words.otherKinds)[];

/** What only some banks ask for, and what they send beside. */
export function OtherFields() {
  return (
    <fieldset className="route">
      <legend>{words.other}</legend>
      {otherKinds.map((kind) => (
        <label key={kind} className="check">
          <input type="checkbox" name={`expects_${kind}`} value="yes" />
          <span>{words.otherKinds[kind]}</span>
        </label>
      ))}
      <TextField label={words.initiatorId} name="initiatorId" hint={words.optional} />
    </fieldset>
  );
}

export const expectedOf = (given: FormValues) =>
  otherKinds.filter((kind) => given(`expects_${kind}`) === 'yes');
