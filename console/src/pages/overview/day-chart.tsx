import { useEffect, useRef, useState } from 'react';
import { locale } from '../../texts/language.ts';
import { exponentOf } from '../../values/money.ts';
import { shortDay } from '../../values/time.ts';
import type { DaySum } from './day-sums.ts';

interface DayChartProps {
  readonly sums: readonly DaySum[];
  readonly currency: string;
  readonly label: string;
  /** The day under the pointer; null outside. */
  onPoint(day: DaySum | null): void;
}

/** The picture's size in pixels: the bars, and beside them room for amounts and days. */
const height = 200;
const left = 48;
const bottom = 24;
const plotHeight = height - bottom;

const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });

/** Up to three amounts that a reader counts in, the largest at or below the highest bar. */
function ticksOf(most: number): number[] {
  if (most <= 0) return [];
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [0.5, 1, 2, 5].map((part) => part * power).find((size) => most / size < 4) ?? most;
  return Array.from({ length: Math.floor(most / step) }, (_, place) => (place + 1) * step);
}

/** How wide the picture is where it stands. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const size = new ResizeObserver(() => setWidth(element.clientWidth));
    size.observe(element);
    return () => size.disconnect();
  }, []);
  return { place, width };
}

/** Amounts by day as bars. It says nothing that the table beside it does not say. */
export function DayChart(props: DayChartProps) {
  const { place, width } = useWidth();
  return (
    <div ref={place} className="chart">
      {width > left && <Bars {...props} width={width} />}
    </div>
  );
}

function Bars({
  sums,
  currency,
  label,
  onPoint,
  width,
}: DayChartProps & { readonly width: number }) {
  const scale = 10 ** exponentOf(currency);
  const values = sums.map(({ amountMinor }) => Number(amountMinor) / scale);
  const most = Math.max(0, ...values);
  const yOf = (value: number) =>
    most === 0 ? plotHeight : plotHeight - (value / most) * (plotHeight - 12);
  const slot = (width - left) / sums.length;
  const bar = Math.min(slot * 0.7, 40);
  const every = Math.ceil(56 / slot);
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={label}
      onPointerLeave={() => onPoint(null)}
    >
      {[0, ...ticksOf(most)].map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
          <text x={left - 8} y={yOf(tick)} dy="0.32em" textAnchor="end">
            {compact.format(tick)}
          </text>
        </g>
      ))}
      {sums.map((sum, index) => {
        const x = left + index * slot;
        const y = yOf(values[index] ?? 0);
        return (
          <g key={sum.day} onPointerEnter={() => onPoint(sum)}>
            {/* The whole of the day's column hears the pointer. */}
            <rect className="column" x={x} width={slot} height={plotHeight} />
            <rect
              className="bar"
              x={x + (slot - bar) / 2}
              y={y}
              width={bar}
              height={plotHeight - y}
              rx={2}
            />
            {index % every === 0 && (
              <text x={x + slot / 2} y={height - 6} textAnchor="middle">
                {shortDay(sum.day)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
