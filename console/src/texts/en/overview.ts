import { counted } from '../plural.ts';

export const overviewTexts = { title: 'Overview', payouts: (n: number) => counted(n, 'payout') };
