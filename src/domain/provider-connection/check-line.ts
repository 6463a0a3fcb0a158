/** One thing that was looked at. */
export interface CheckLine {
  readonly holds: boolean;
  readonly text: string;
}

export const fine = (text: string): CheckLine => ({ holds: true, text });
export const lacking = (text: string): CheckLine => ({ holds: false, text });
