/** What the nodes use of Node-RED's runtime. */
export interface Red {
  readonly nodes: {
    readonly createNode: (node: RedNode, config: NodeConfig) => void;
    readonly getNode: (id: string) => unknown;
    readonly registerType: (type: string, constructor: NodeConstructor, options?: NodeOptions) => void;
  };
  readonly settings: { readonly userDir?: string };
  /** A text of the catalogue `locales/en-US/curtail.json`, in the language of the runtime. */
  readonly _: Translate;
}

export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** What the editor saved; each node adds its own members. */
export interface NodeConfig {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
}

export interface NodeOptions {
  readonly credentials?: Readonly<Record<string, { readonly type: "text" | "password" }>>;
}

export type NodeConstructor = (this: RedNode, config: never) => void;

export interface Message extends Readonly<Record<string, unknown>> {
  readonly payload?: unknown;
}

/** A message per output; null: none. */
export type Outputs = ReadonlyArray<Message | null>;

export interface NodeStatus {
  readonly fill?: "red" | "green" | "yellow" | "blue" | "grey";
  readonly shape?: "ring" | "dot";
  readonly text?: string;
}

export type OnInput = (message: Message, send: (outputs: Outputs) => void, done: (error?: Error) => void) => void;

export interface RedNode {
  readonly id: string;
  readonly credentials?: Readonly<Record<string, string | undefined>>;
  send(outputs: Outputs): void;
  status(status: NodeStatus): void;
  warn(text: string): void;
  error(text: string, message?: Message): void;
  on(event: "input", listener: OnInput): void;
  on(event: "close", listener: (isRemoved: boolean, done: () => void) => void): void;
}

/** Calls back when the work of an input is done, with its failure if there is one. */
export const doneAfter = async (work: Promise<unknown>, done: (error?: Error) => void): Promise<void> => {
  try {
    await work;
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
};
