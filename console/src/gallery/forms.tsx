import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { FilterBar } from '../parts/filter-bar.tsx';
import { FilterChip } from '../parts/filter-chip.tsx';
import { FileDrop } from '../parts/file-drop.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Specimen } from './specimen.tsx';

/** What is filled in. */
export function Forms() {
  return (
    <>
      <Specimen title="Fields">
        <div className="columns">
          <TextField label="Name" name="name" defaultValue="Zoë Müller" />
          <TextField label="Reference" name="reference" hint="As the payee will read it." />
          <Field label="IBAN" fault="This is no IBAN.">
            {(field) => <input {...field} className="input" defaultValue="DE00 3704 0044" />}
          </Field>
          <Choice label="Status" options={{ open: 'Open', closed: 'Closed' }} any="All" />
          <TextField label="Day" name="day" type="date" defaultValue="2026-03-04" />
          <Field label="Reason">{(field) => <textarea {...field} className="input" />}</Field>
        </div>
        <label className="check">
          <input type="checkbox" defaultChecked /> I have checked the account
        </label>
        <fieldset className="choices">
          <legend>Pay by</legend>
          <label>
            <input type="radio" name="rail" defaultChecked /> Instant transfer
          </label>
          <label>
            <input type="radio" name="rail" /> Transfer of the day
          </label>
        </fieldset>
      </Specimen>
      <Specimen title="Filter bar">
        <FilterBar
          chosen={2}
          onClear={() => {}}
          search={<TextField label="Find" name="find" placeholder="Name, reference, amount, ID" />}
          aside={<Button>Export</Button>}
        >
          <FilterChip label="Status" value="Failed, Returned" onClear={() => {}}>
            {() => null}
          </FilterChip>
          <FilterChip label="Replaced" value="Not yet" onClear={() => {}} />
          <FilterChip label="Created" value={null} onClear={() => {}}>
            {() => null}
          </FilterChip>
        </FilterBar>
      </Specimen>
      <Specimen title="File">
        <FileDrop label="Statement" hint="camt.053, up to 20 MB" onFiles={() => {}} />
      </Specimen>
      <Specimen title="Decision">
        <section className="decision" aria-label="What is decided">
          <p>
            <span className="decision-name">Zoë Müller</span>
          </p>
          <div className="row">
            <Button kind="danger">Reject</Button>
            <Button kind="primary">Approve</Button>
          </div>
        </section>
      </Specimen>
    </>
  );
}
