import { describe, expect, it } from 'vitest';
import { command } from '../../src/db/command.ts';
import { createPool } from '../../src/db/pool.ts';
import { declarationOf, type TaskName } from '../../src/queue/tasks.ts';
import { commands } from '../support/commands.ts';

describe('the caller of a command', () => {
  const note = command<{ railRef: string | null; told: object | null }, { noted: boolean }>(
    'note',
    { railRef: 'text', told: 'jsonb' },
    ['noted', ['entry', { id: 'id', madeAt: 'madeAt' }]],
  );

  it('sends one statement that names each argument, the tenant first', () => {
    expect(note.statement).toEqual({
      name: 'note',
      tenant: 'set by itself',
      text: `SELECT r.noted AS "noted", (r.entry).id AS "entry.id", (r.entry).made_at AS "entry.madeAt" FROM command.note(_tenant => $1, _rail_ref => $2, _told => $3) AS r`,
    });
    expect(note.values('a', { told: [1], railRef: 'b' })).toEqual(['a', 'b', '[1]']);
    expect(note.values('a', { told: null, railRef: null })).toEqual(['a', null, null]);
  });

  it('gives a row within a row as an object, null where there is none', async () => {
    const found = [
      { noted: true, 'entry.id': 'x', 'entry.madeAt': 1 },
      { noted: false, 'entry.id': null, 'entry.madeAt': null },
    ];
    const pool = createPool('postgresql://127.0.0.1:1', 1, 'none');
    pool.query = () => Promise.resolve({ rows: found }) as never;
    expect(await note(pool, 'a', { told: null, railRef: null })).toEqual([
      { noted: true, entry: { id: 'x', madeAt: 1 } },
      { noted: false, entry: null },
    ]);
    await pool.end();
  });
});

/** A name in the text of a function, but not that of an argument of a call, nor a part of one or of a text. */
const parameter = /(?<![\w'".])_[a-z]\w*(?!\w|\s*=>)/g;

describe.each(commands)('$path', ({ name, definition }) => {
  const [, declared = '', rest = ''] = /\(\n?(.*?)\n?\) RETURNS (.*)/s.exec(definition) ?? [];
  const [options = '', body = ''] = rest.split(/ AS \$\$/, 2);
  const isCalled = options.includes('plan_cache_mode');

  it('makes one function, of that name, with the rights of its caller', () => {
    expect(definition.match(/^CREATE OR REPLACE FUNCTION \S+(?=\()/gm)).toEqual([
      `CREATE OR REPLACE FUNCTION command.${name}`,
    ]);
    expect(definition).not.toMatch(/SECURITY DEFINER|search_path/);
    expect(definition).toMatch(/^-- \S/);
  });

  it('uses every parameter and no other', () => {
    expect(new Set(body.match(parameter))).toEqual(
      new Set(declared.match(/^ +_\w+/gm)?.map((p) => p.trim())),
    );
  });

  it('sets the tenant and plans once where callers call it', () => {
    const settings = 'SET plan_cache_mode = force_generic_plan SET enable_seqscan = off';
    expect(options.includes(settings)).toBe(isCalled);
    expect(body.includes(`scoped CONSTANT text := set_config('app.tenant', _tenant, true);`)).toBe(
      isCalled,
    );
    expect(definition.startsWith('-- Part of other commands')).toBe(!isCalled);
  });

  it('adds jobs as their tasks are declared', () => {
    for (const [, task = '', key = ''] of body.matchAll(
      /INTO public\.job_outbox \(tenant_id, task, payload, job_key\)[^']*'(\w+)'.*?,\n\s+([^\n]+)\n\s*(?:FROM|\))/gs,
    )) {
      const declaration = declarationOf(task as TaskName);
      expect(declaration.priority).toBeUndefined();
      expect(key).toContain(declaration.key?.prefix ?? '');
    }
  });
});
