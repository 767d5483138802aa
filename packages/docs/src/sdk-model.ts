/** What the comment of an export says. Texts are Markdown; links to other exports are `sdk:NAME`. */
export interface SdkComment {
  readonly text: string;
  readonly parameters: readonly { readonly name: string; readonly text: string }[];
  readonly returns: string;
  readonly throws: readonly string[];
  readonly examples: readonly string[];
}

export interface SdkMember {
  readonly name: string;
  /** Its type on one line. */
  readonly type: string;
  /** A function with the comments of what it takes: `getDispatch(input: …): Promise<Dispatch>`; null for others. */
  readonly signature: string | null;
  readonly isOptional: boolean;
  readonly comment: SdkComment;
}

/** An export of a library. */
export interface SdkExport {
  /** What it is imported from: `@curtail/client/node`. */
  readonly module: string;
  /** The source file that declares it, without folder and ending. */
  readonly file: string;
  readonly name: string;
  readonly kind: "class" | "constant" | "function" | "interface" | "type";
  /** Its declaration in TypeScript, without comments. */
  readonly declaration: string;
  readonly comment: SdkComment;
  readonly members: readonly SdkMember[];
}

export interface SdkModel {
  readonly exports: readonly SdkExport[];
  /** What TypeDoc finds wrong: exports and members without a comment, links that lead nowhere, types that are not exported. */
  readonly faults: readonly string[];
}
