import pg from "pg";

type Asked = string | pg.QueryConfig | pg.Submittable;
type Query = (...args: readonly unknown[]) => unknown;

/**
 * Names of statements on a connection that serves one service after the other: with other settings, such as a mail server, the same
 * name has another text, which the connection would refuse.
 */
export class StatementNames {
  private readonly texts = new Map<string, string>();
  /** Of the current service: name by name. A second text of one is refused, as on a connection of its own. */
  private current = new Map<string, string>();

  /** Another service begins. */
  begin(): void {
    this.current = new Map();
  }

  /** The statement under a name that has no other text here. */
  unique(asked: Asked): Asked {
    if (typeof asked === "string" || "submit" in asked || asked.name === undefined) return asked;
    const known = this.current.get(asked.name) ?? this.freeFor(asked.name, asked.text);
    this.current.set(asked.name, known);
    return known === asked.name ? asked : { ...asked, name: known };
  }

  private freeFor(name: string, text: string): string {
    let free = name;
    for (let count = 2; (this.texts.get(free) ?? text) !== text; count++) free = `${name} ${count}`;
    this.texts.set(free, text);
    return free;
  }
}

/** Sends what `named` makes of a statement. */
export const sendAs = (client: pg.Client, named: (asked: Asked, values: unknown) => Asked): void => {
  const query = (asked: Asked, values?: unknown, ...rest: readonly unknown[]): unknown =>
    // Looked up each time: tests that count statements watch the prototype.
    (pg.Client.prototype.query as Query).call(client, named(asked, values), values, ...rest);
  client.query = query as typeof client.query;
};
