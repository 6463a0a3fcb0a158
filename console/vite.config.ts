import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { defineConfig } from 'vite';

const { resolve } = createRequire(import.meta.url);

/** `npx vite console` serves the sources with live reload, in front of a service that `npm start` runs. */
const service = 'http://localhost:3000';
const forwarded = {
  target: service,
  changeOrigin: true,
  headers: { origin: service },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  publicDir: false,
  plugins: [
    {
      name: 'licence-of-the-face',
      apply: 'build',
      generateBundle() {
        const source = readFileSync(resolve('@fontsource-variable/inter/LICENSE'));
        this.emitFile({ type: 'asset', fileName: 'assets/inter-license.txt', source });
      },
    },
    {
      // The server for development answers JSON as a module, which a browser refuses where the import says `json`.
      name: 'json-as-modules',
      apply: 'serve',
      enforce: 'pre',
      transform(code, id) {
        if (!id.endsWith('/texts.ts')) return null;
        return { code: code.replaceAll(", { with: { type: 'json' } }", ''), map: null };
      },
    },
  ],
  build: {
    outDir: '../generated/console',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // The policy of the pages knows no data: addresses.
    assetsInlineLimit: 0,
    // The parts of a page are found when it is loaded. To name those of every page ahead makes each first load larger.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, parts) => parts.filter((part) => part.endsWith('.css')),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Packages mark modules for servers that render React; there is none here.
      onLog(level, log, report) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: { proxy: { '/graphql': forwarded, '/auth': forwarded } },
});
