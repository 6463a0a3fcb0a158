import { lexicographicSortSchema, printSchema } from 'graphql';
import { openApiDocument } from '../../rest/openapi/document.ts';
import { schema } from '../../schema/schema.ts';
import { clientOperations } from '../client/operations.ts';
import { clientTypes } from '../client/types.ts';
import { acrossViews } from './across-views.ts';
import { composeSettings } from './compose-settings.ts';
import { dataFunctions } from './data-functions.ts';
import type { GeneratedText } from './generated.ts';
import { holdingsTable } from './holdings-table.ts';
import { metricsList } from './metrics-list.ts';
import { payoutEffects } from './payout-effects.ts';
import { settingsList } from './settings-list.ts';
import { stateMachinePage } from './state-machine.ts';
import { taskRows } from './task-rows.ts';

/** Everything that `npm run generate` writes and `npm run check:generated` compares. */
export const generatedTexts: readonly GeneratedText[] = [
  {
    file: 'schema/schema.graphql',
    generate: () => printSchema(lexicographicSortSchema(schema)),
  },
  { file: 'docs/openapi.json', generate: () => JSON.stringify(openApiDocument(), null, 2) },
  { file: 'client/src/generated/types.gen.ts', generate: () => clientTypes(openApiDocument()) },
  {
    file: 'client/src/generated/operations.gen.ts',
    generate: () => clientOperations(openApiDocument()),
  },
  { file: 'docs/state-machine.md', generate: stateMachinePage },
  { file: 'prisma/repeatable/12-across-tenants.sql', generate: acrossViews },
  { file: 'prisma/repeatable/14-from-data.sql', generate: dataFunctions },
  { file: 'prisma/repeatable/54-payout-effects.sql', generate: payoutEffects },
  { file: 'prisma/repeatable/20-tasks.sql', generate: taskRows },
  { file: 'docs/configuration.md', region: 'settings', generate: settingsList },
  { file: 'docker-compose.yml', region: 'settings', generate: composeSettings },
  { file: 'docs/operating.md', region: 'metrics', generate: metricsList },
  { file: 'docs/personal-data.md', region: 'holdings', generate: holdingsTable },
];
