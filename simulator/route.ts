import type { IncomingHttpHeaders } from 'node:http';
import type { FaultTarget } from './faults.ts';

export interface SimulatorCall {
  readonly id: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface SimulatorAnswer {
  readonly status: number;
  readonly body?: unknown;
}

/** A method and path of the simulator and what answers them. */
export interface Route<Context> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `:id` stands for one segment. */
  readonly path: string;
  /** The faults that can meet the call. A control call meets none. */
  readonly target?: FaultTarget;
  readonly open?: true;
  readonly handle: (
    context: Context,
    call: SimulatorCall,
  ) => SimulatorAnswer | Promise<SimulatorAnswer>;
}

export const found = (body: unknown): SimulatorAnswer => ({ status: 200, body });
