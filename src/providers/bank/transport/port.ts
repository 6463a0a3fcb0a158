/** A file in the folder of what goes to the bank. */
export interface OutgoingFile {
  /** In hexadecimal digits; null where the bank lets nobody read what lies there. */
  readonly sha256: string | null;
}

/** A file in the folder of what comes from the bank. */
export interface IncomingFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * How files get to a bank and back: a folder for each direction. A file goes out in two steps, so that a
 * process that dies, or a connection that breaks, leaves as little unknown as possible. Under a temporary
 * name it is nothing to the bank, and may be brought there again. Only the step that gives it its own name
 * pays, and that name and the temporary one tell afterwards whether it happened.
 *
 * The methods that read or prepare throw ProviderError with the verdict `retry`: they change nothing that
 * counts. Names are file names without a folder; a transport refuses others: one that the service made with a
 * TypeError, and one that the bank made with a ProviderError.
 */
export interface BankTransport {
  /** Writes the file under a temporary name, durably, in place of what has that name. */
  stage(temporary: string, bytes: Uint8Array): Promise<void>;
  /**
   * Gives a staged file its own name, in one step. Resolves when the file certainly is there.
   * ProviderError `retry` where it certainly is not, `unknown` otherwise.
   */
  publish(temporary: string, name: string): Promise<void>;
  /** The outgoing file of that name, be it temporary or not; null where there is none. */
  find(name: string): Promise<OutgoingFile | null>;
  /** Removes a staged file that is not to be published, if it is there. */
  discard(temporary: string): Promise<void>;
  /** The incoming files. */
  list(): Promise<readonly IncomingFile[]>;
  /** Reads an incoming file as it arrives. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** How many bytes an incoming file has at this moment; null where that cannot be told. */
  sizeOf(name: string): Promise<number | null>;
  /** Moves an incoming file to the archive, once it is stored. */
  archive(name: string): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
}
