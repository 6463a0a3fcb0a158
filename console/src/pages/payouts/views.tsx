import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../app/session.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { announce } from '../../parts/live.tsx';
import { Menu } from '../../parts/menu.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';
import { filterOf, listSearch, type ListAddress } from './filters.ts';

const words = texts.payouts.views;

interface View {
  readonly name: string;
  readonly address: ListAddress;
  readonly columns: string;
}

/** Reads what the browser keeps; what it cannot read is no view. */
function kept(key: string): View[] {
  try {
    const given: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    if (!Array.isArray(given)) return [];
    return given.flatMap((one: Partial<View> | null) =>
      typeof one?.name === 'string' && typeof one.address === 'object'
        ? [
            {
              name: one.name,
              address: listSearch({ ...one.address }),
              columns: String(one.columns ?? ''),
            },
          ]
        : [],
    );
  } catch {
    return [];
  }
}

interface ViewsProps {
  readonly address: ListAddress;
  /** The columns that are shown, as they are kept. */
  readonly columns: string;
  onColumns(columns: string): void;
}

/** Lists that the reader comes back to: conditions and columns under a name, kept in this browser for each business. */
export function Views({ address, columns, onColumns }: ViewsProps) {
  const { viewer } = useSession();
  const navigate = useNavigate({ from: '/payouts' });
  const key = `payout-views ${viewer.actingFor}`;
  const [views, setViews] = useState(() => kept(key));
  const [naming, setNaming] = useState(false);
  const keep = (next: View[]) => {
    localStorage.setItem(key, JSON.stringify(next));
    setViews(next);
  };
  const without = (name: string) => views.filter((view) => view.name !== name);
  return (
    <>
      <Menu
        label={
          <>
            <Icon name="bookmark" />
            <span className="word">{words.menu}</span>
          </>
        }
      >
        {views.length === 0 && <p className="menu-note muted small">{words.none}</p>}
        {views.map((view) => (
          <div key={view.name} className="menu-row">
            <button
              type="button"
              onClick={() => {
                if (view.columns !== '') onColumns(view.columns);
                void navigate({ search: view.address });
              }}
            >
              {view.name}
            </button>
            <button
              type="button"
              aria-label={words.remove({ name: view.name })}
              onClick={() => keep(without(view.name))}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
        <button type="button" onClick={() => setNaming(true)}>
          <Icon name="plus" />
          {words.save}
        </button>
      </Menu>
      <FormDialog
        title={words.save}
        action={texts.action.save}
        open={naming}
        busy={false}
        fault={null}
        onClose={() => setNaming(false)}
        onSubmit={(given) => {
          const name = given('name');
          keep([...without(name), { name, address: filterOf(address) as ListAddress, columns }]);
          setNaming(false);
          announce(words.saved({ name }));
        }}
      >
        <TextField label={words.name} name="name" hint={words.hint} required maxLength={60} />
      </FormDialog>
    </>
  );
}
