import { describe, expect, it } from 'vitest';
import { command } from '../../src/db/command.ts';

const declared = (body: string) =>
  command({
    name: 'note',
    comment: 'Notes something.',
    parameters: { tenant: 'text', railRef: 'text' },
    returns: 'boolean',
    select: 'r.noted',
    body,
  });

describe('a command', () => {
  const note = declared('RETURN _tenant = _rail_ref;');

  it('is called by one statement that names each argument', () => {
    expect(note.text).toBe('SELECT r.noted FROM command.note(_tenant => $1, _rail_ref => $2) AS r');
    expect(note.of({ railRef: 'b', tenant: 'a' })).toEqual(['a', 'b']);
  });

  it('is a function that is replaced, with the rights of its caller', () => {
    expect(note.definition).toContain('CREATE OR REPLACE FUNCTION command.note(\n  _tenant text,');
    expect(note.definition).not.toMatch(/SECURITY DEFINER|search_path/);
  });

  it('uses every parameter and no other', () => {
    expect(() => declared('RETURN _tenant IS NULL;')).toThrow('_rail_ref');
    expect(() => declared('RETURN _tenant = _rail_ref AND _other;')).toThrow('_other');
  });
});
