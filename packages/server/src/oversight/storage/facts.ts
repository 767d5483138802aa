/** Reads a value that came as JSON; throws a TypeError if it is anything else. */
type Reader<T> = (value: unknown) => T;

/** The members of an object that came as JSON. */
export type FactReaders<Facts> = { readonly [Name in keyof Facts]: Reader<Facts[Name]> };

export type FactsOf<Readers> = Readers extends FactReaders<infer Facts> ? Facts : never;

/** Members without a reader are left out. An error names the member, but not its value, which may be an address. */
export const readFacts = <Facts>(readers: FactReaders<Facts>, row: unknown): Facts => {
  const members = (row ?? {}) as Readonly<Record<string, unknown>>;
  const read = ([name, reader]: [string, Reader<unknown>]): [string, unknown] => {
    try {
      return [name, reader(members[name])];
    } catch (error) {
      throw new TypeError(`the fact ${name} is not as its rule says`, { cause: error });
    }
  };
  // Each member was read by its reader.
  return Object.fromEntries(Object.entries<Reader<unknown>>(readers).map(read)) as Facts;
};

export const text: Reader<string> = (value) => (typeof value === "string" ? value : refuse("it is no text"));

export const count: Reader<number> = (value) => (typeof value === "number" ? value : refuse("it is no number"));

export const flag: Reader<boolean> = (value) =>
  typeof value === "boolean" ? value : refuse("it is neither true nor false");

/** A time as PostgreSQL writes it in JSON. */
export const time: Reader<Date> = (value) => {
  const at = new Date(text(value));
  return Number.isNaN(at.getTime()) ? refuse("it is no time") : at;
};

export const texts: Reader<readonly string[]> = (value) =>
  Array.isArray(value) ? value.map(text) : refuse("it is no list");

/** Name it before it is used in a rule: its type would be inferred from there. */
export const oneOf =
  <const Value extends string>(...values: readonly Value[]): Reader<Value> =>
  (value) =>
    values.find((each) => each === value) ?? refuse(`it is none of ${values.join(", ")}`);

export const textOrNull: Reader<string | null> = (value) => (value === null ? null : text(value));

export const timeOrNull: Reader<Date | null> = (value) => (value === null ? null : time(value));

const refuse = (why: string): never => {
  throw new TypeError(why);
};
