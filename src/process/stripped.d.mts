export declare const strippedFolder: string;
/** The file with what remains of a source without its types. */
export declare function strippedFile(source: string): string;
