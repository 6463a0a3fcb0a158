import { useEffect, useRef } from 'react';
// Before the chart's package, which needs a language that there is.
import '../../values/known-language.ts';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
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

const height = 200;
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });

/** The colours of the page in its present scheme, which a canvas cannot take from a style sheet. */
function colours(element: Element) {
  const probe = document.createElement('span');
  element.append(probe);
  const of = (token: string) => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const found = { bar: of('accent'), text: of('muted'), line: of('line') };
  probe.remove();
  return found;
}

function draw(element: HTMLElement, { sums, currency, onPoint }: DayChartProps): UPlot {
  const { bar, text, line } = colours(element);
  const scale = 10 ** exponentOf(currency);
  const numbers = sums.map((_, index) => index);
  const values = sums.map(({ amountMinor }) => Number(amountMinor) / scale);
  const bars = UPlot.paths.bars?.({ size: [0.7, 40], radius: 0.12 });
  const font = `12px ${getComputedStyle(element).fontFamily}`;
  const options: UPlot.Options = {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-0.5, sums.length - 0.5] },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.08 : 1] },
    },
    axes: [
      {
        stroke: text,
        font,
        size: 28,
        grid: { show: false },
        ticks: { show: false },
        values: (_plot, splits) =>
          splits.map((index) => (sums[index] ? shortDay(sums[index].day) : '')),
        incrs: [1, 2, 5, 7, 10, 14, 30],
        space: 56,
      },
      {
        stroke: text,
        font,
        size: 56,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        values: (_plot, splits) => splits.map((value) => compact.format(value)),
      },
    ],
    series: [
      {},
      {
        fill: bar,
        stroke: bar,
        width: 0,
        points: { show: false },
        ...(bars ? { paths: bars } : {}),
      },
    ],
    hooks: {
      setCursor: [
        ({ cursor }) => {
          onPoint(typeof cursor.idx === 'number' ? (sums[cursor.idx] ?? null) : null);
        },
      ],
    },
  };
  return new UPlot(options, [numbers, values], element);
}

/** Amounts by day as bars. It says nothing that the table beside it does not say. */
export function DayChart(props: DayChartProps) {
  const { sums, currency, label, onPoint } = props;
  const place = useRef<HTMLDivElement>(null);
  const pointed = useRef(onPoint);
  useEffect(() => {
    pointed.current = onPoint;
  }, [onPoint]);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const drawn = { sums, currency, label, onPoint: (day: DaySum | null) => pointed.current(day) };
    let plot = draw(element, drawn);
    const redraw = () => {
      plot.destroy();
      plot = draw(element, drawn);
    };
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', redraw);
    const size = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    size.observe(element);
    return () => {
      size.disconnect();
      scheme.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [sums, currency, label]);
  return <div ref={place} className="chart" role="img" aria-label={label} />;
}
