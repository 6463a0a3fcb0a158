import { expect, it } from 'vitest';
import { deleteExpired } from '../../../src/domain/retention/delete-expired.ts';
import { newPayout } from '../../support/payout-command.ts';
import { members } from '../../support/approval-world.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld({ fresh: true });
const { sql } = world;

it('forgets what nobody signed a day later, and never what somebody did', async () => {
  const [creator] = await members(world, 'preparer', 1);
  const payout = await newPayout(creator, world.payee);
  const asked = async (id: string, age: string, answered: boolean) => {
    await sql(
      `INSERT INTO step_up (tenant_id, id, user_id, session_id, text, nonce, challenge, expires_at)
       VALUES ($1, $2::text, 'usr_1', 'ses_1', 'text', sha256(convert_to($2::text, 'UTF8')), sha256(convert_to($2::text, 'UTF8')), now() - $3::interval)`,
      [world.tenant.tenantId, id, age],
    );
    await sql(
      `INSERT INTO step_up_item (tenant_id, step_up_id, payout_id, text) VALUES ($1, $2, $3, 'text')`,
      [world.tenant.tenantId, id, payout],
    );
    if (!answered) return;
    await sql(
      `UPDATE step_up SET answered_at = created_at, passkey_id = 'p', credential_id = '', public_key = '',
         authenticator_data = '', client_data = '', signature = '', rp_id = 'r', origin = 'o' WHERE id = $1`,
      [id],
    );
  };
  await asked('sup_old', '25 hours', false);
  await asked('sup_signed', '25 hours', true);
  await asked('sup_late', '23 hours', false);
  await deleteExpired(world.call.services);
  expect(await sql('SELECT id FROM step_up ORDER BY id')).toEqual([
    { id: 'sup_late' },
    { id: 'sup_signed' },
  ]);
  expect(await sql('SELECT FROM step_up_item')).toHaveLength(2);
});
