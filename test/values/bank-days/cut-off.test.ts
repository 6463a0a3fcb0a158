import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBankDay } from '../../../src/values/bank-days/bank-day.ts';
import { bankCalendars } from '../../../src/values/bank-days/calendars.ts';
import { batchWindow, type CutOff } from '../../../src/values/bank-days/cut-off.ts';
import { firstInstantOf, isTimeOfDay, localDate } from '../../../src/values/bank-days/zone.ts';

const instant = (date: string, time: string, zone: string) =>
  firstInstantOf(date, time, zone).toISOString();

describe('the instant of an appointment', () => {
  it.each([
    ['2026-11-23', '14:30', 'Europe/Berlin', '2026-11-23T13:30:00.000Z'],
    ['2026-07-23', '14:30', 'Europe/Berlin', '2026-07-23T12:30:00.000Z'],
    ['2026-11-23', '17:00', 'America/New_York', '2026-11-23T22:00:00.000Z'],
    ['2026-07-23', '00:00', 'Europe/London', '2026-07-22T23:00:00.000Z'],
    ['2026-07-23', '23:59', 'Asia/Kathmandu', '2026-07-23T18:14:00.000Z'],
    ['2026-07-23', '09:00', 'Pacific/Kiritimati', '2026-07-22T19:00:00.000Z'],
    ['2026-07-23', '09:00', 'UTC', '2026-07-23T09:00:00.000Z'],
  ])('%s %s in %s', (date, time, zone, expected) => {
    expect(instant(date, time, zone)).toBe(expected);
  });

  it.each([
    // Put forward: at 02:00 it is 03:00.
    ['2026-03-29', '01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29', '02:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29', '03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-08', '02:30', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    // By half an hour.
    ['2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    // At midnight: the day begins at 01:00.
    ['2026-04-24', '00:30', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    // A whole day, when Samoa went to the other side of the date line.
    ['2011-12-30', '12:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('is the jump for what %s jumps over: %s in %s', (date, time, zone, expected) => {
    expect(instant(date, time, zone)).toBe(expected);
  });

  it.each([
    // Put back: at 03:00 it is 02:00 again.
    ['2026-10-25', '01:59', 'Europe/Berlin', '2026-10-24T23:59:00.000Z'],
    ['2026-10-25', '02:00', 'Europe/Berlin', '2026-10-25T00:00:00.000Z'],
    ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25', '03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
    ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-04-05', '01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  ])('is the first of two on %s: %s in %s', (date, time, zone, expected) => {
    expect(instant(date, time, zone)).toBe(expected);
  });

  it('throws RangeError for what does not exist', () => {
    expect(() => instant('2026-03-29', '24:00', 'UTC')).toThrow(RangeError);
    expect(() => instant('2026-03-29', '9:00', 'UTC')).toThrow(RangeError);
    expect(() => instant('2026-02-29', '09:00', 'UTC')).toThrow(RangeError);
    expect(() => instant('2026-03-29', '09:00', 'Europe/Nowhere')).toThrow(RangeError);
    expect(isTimeOfDay('23:59') && !isTimeOfDay('24:00')).toBe(true);
  });
});

const berlin: CutOff = {
  time: '14:30',
  timeZone: 'Europe/Berlin',
  calendar: 'target',
  leadBankDays: 0,
};

/** When a batch closes and is executed, for a payment that is ready at a moment in UTC. */
function windowAt(cutOff: CutOff, now: string): string {
  const { closesAt, executionDate } = batchWindow(cutOff, new Date(now));
  return `${closesAt.toISOString()} ${executionDate}`;
}

describe('the batch of a moment', () => {
  it.each([
    ['2026-11-23T08:00:00Z', '2026-11-23T13:30:00.000Z 2026-11-23'],
    ['2026-11-23T13:29:59.999Z', '2026-11-23T13:30:00.000Z 2026-11-23'],
    // The instant of the cut-off is too late.
    ['2026-11-23T13:30:00Z', '2026-11-24T13:30:00.000Z 2026-11-24'],
    ['2026-11-27T20:00:00Z', '2026-11-30T13:30:00.000Z 2026-11-30'],
    ['2026-11-28T08:00:00Z', '2026-11-30T13:30:00.000Z 2026-11-30'],
    ['2026-04-02T13:00:00Z', '2026-04-07T12:30:00.000Z 2026-04-07'],
    // It is the next day in Berlin already.
    ['2026-11-23T23:30:00Z', '2026-11-24T13:30:00.000Z 2026-11-24'],
  ])('is, at %s, the one of %s', (now, expected) => {
    expect(windowAt(berlin, now)).toBe(expected);
  });

  it('asks for a day later where the bank needs one', () => {
    const ach: CutOff = {
      time: '17:00',
      timeZone: 'America/New_York',
      calendar: 'federal_reserve',
      leadBankDays: 1,
    };
    expect(windowAt(ach, '2026-11-24T12:00:00Z')).toBe('2026-11-24T22:00:00.000Z 2026-11-25');
    // Thanksgiving is on Thursday.
    expect(windowAt(ach, '2026-11-25T12:00:00Z')).toBe('2026-11-25T22:00:00.000Z 2026-11-27');
    expect(windowAt(ach, '2026-11-25T22:00:00Z')).toBe('2026-11-27T22:00:00.000Z 2026-11-30');
  });

  it('has a window at a cut-off that clocks jump over or show twice', () => {
    const cairo = { ...berlin, timeZone: 'Africa/Cairo' };
    // Most zones change their clocks on a Sunday, Cairo in the night to Friday. They are put forward
    // at midnight of 24 April 2026.
    expect(windowAt({ ...cairo, time: '00:30' }, '2026-04-23T12:00:00Z')).toBe(
      '2026-04-23T22:00:00.000Z 2026-04-24',
    );
    // They are put back in the night to Friday 30 October 2026: 23:30 on Thursday is shown twice.
    const first = '2026-10-29T20:30:00.000Z';
    const late = { ...cairo, time: '23:30' };
    expect(windowAt(late, '2026-10-29T12:00:00Z')).toBe(`${first} 2026-10-29`);
    expect(windowAt(late, '2026-10-29T20:45:00Z')).toBe('2026-10-30T21:30:00.000Z 2026-10-30');
  });

  it('is always ahead, on a bank day, and never before that of an earlier moment', () => {
    const zones = [
      'Europe/Berlin',
      'Europe/London',
      'America/New_York',
      'Africa/Cairo',
      'Asia/Tokyo',
    ];
    const cutOff = fc.record({
      time: fc
        .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
        .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
      timeZone: fc.constantFrom(...zones),
      calendar: fc.constantFrom(...bankCalendars),
      leadBankDays: fc.nat(3),
    });
    const from = Date.UTC(2024, 0, 1);
    const moment = fc.integer({ min: from, max: Date.UTC(2029, 0, 1) });
    fc.assert(
      fc.property(cutOff, moment, fc.nat(4 * 86_400_000), (rule, now, later) => {
        const window = batchWindow(rule, new Date(now));
        expect(window.closesAt.getTime()).toBeGreaterThan(now);
        expect(isBankDay(rule.calendar, window.executionDate)).toBe(true);
        expect(localDate(window.closesAt, rule.timeZone) <= window.executionDate).toBe(true);
        const next = batchWindow(rule, new Date(now + later));
        expect(next.closesAt.getTime()).toBeGreaterThanOrEqual(window.closesAt.getTime());
        // The moment before it closes still belongs to it, the moment itself does not.
        const last = new Date(window.closesAt.getTime() - 1);
        expect(batchWindow(rule, last)).toEqual(window);
        expect(batchWindow(rule, window.closesAt).closesAt.getTime()).toBeGreaterThan(
          window.closesAt.getTime(),
        );
      }),
    );
  });
});
