import type { StepResult } from './print.ts';

const stepWidth = 34;
/** Milliseconds between the lines of a step that goes on. */
const usualPauseMs = 10_000;

/** Says what a step waits for, to be shown while it goes on. */
export type Tell = (awaited: string) => void;

/** Runs, times and shows one step; the text that it returns is shown beside it. */
export type DemoStep = (title: string, run: (tell: Tell) => Promise<string>) => Promise<void>;

/**
 * Runs, times and prints steps; `results` is what the summary shows. A step that takes long says every ten seconds what
 * it waits for.
 */
export function createStepper(
  print: (line: string) => void,
  pauseMs = usualPauseMs,
): { results: StepResult[]; step: DemoStep } {
  const results: StepResult[] = [];
  return {
    results,
    async step(title, run) {
      const started = performance.now();
      const spent = (): number => performance.now() - started;
      let awaited = '';
      const lines = setInterval(() => {
        const seconds = `${Math.round(spent() / 1_000)} s`.padStart(9);
        print(`  ...   ${title.padEnd(stepWidth)} ${seconds}  ${awaited}`.trimEnd());
      }, pauseMs);
      try {
        const detail = await run((text) => {
          awaited = text;
        });
        const ms = Math.round(spent());
        results.push({ title, ms });
        print(
          `  ok    ${title.padEnd(stepWidth)} ${String(ms).padStart(6)} ms  ${detail}`.trimEnd(),
        );
      } catch (error) {
        print(`  FAIL  ${title}`);
        throw error;
      } finally {
        clearInterval(lines);
      }
    },
  };
}
