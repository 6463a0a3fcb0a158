import { styleText } from 'node:util';
import { oneLine } from '../values/one-line.ts';

/** What a line of the log holds, as pino writes it. */
type LogEntry = Readonly<Record<string, unknown>>;

const seldomRead = new Set(['level', 'time', 'service', 'msg']);

/** Colours reach a terminal only, or where FORCE_COLOR asks for them; never with NO_COLOR. */
const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stdout });

function statusStyle(status: number): 'green' | 'yellow' | 'red' {
  if (status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}

/** `POST   /v1/payouts  201  12 ms  key_…`: method, path template, status, duration, and who asked. */
function requestLine(entry: LogEntry): string {
  const { method, route, status, ms, actor } = entry;
  const code = Number(status);
  return [
    `${String(method).padEnd(6)} ${route === 'none' ? '(no such endpoint)' : String(route)}`,
    paint(statusStyle(code), String(code)),
    `${Math.round(Number(ms))} ms`,
    paint('dim', typeof actor === 'string' ? actor : 'nobody'),
  ].join('  ');
}

function otherLine(entry: LogEntry): string {
  const { level, msg } = entry;
  const named = Object.entries(entry)
    .filter(([name, value]) => !seldomRead.has(name) && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .map(oneLine);
  const serious = level !== 'info' && level !== 'debug' && level !== 'trace';
  const mark = serious ? [paint(level === 'warn' ? 'yellow' : 'red', String(level))] : [];
  return [...mark, oneLine(String(msg)), paint('dim', named.join(' '))].join('  ').trimEnd();
}

/** A line of JSON as a line that people read: the time of the day in UTC, then what happened. */
export function toText(line: string): string {
  const entry = JSON.parse(line) as LogEntry;
  const time = /T(\d\d:\d\d:\d\d)/.exec(String(entry['time']))?.[1] ?? '';
  const what = entry['msg'] === 'request' ? requestLine(entry) : otherLine(entry);
  return `${paint('dim', time)} ${what}\n`;
}
