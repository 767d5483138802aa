import { isAbsolute } from "node:path";
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from "yaml";
import { formatDuration, parseDuration } from "./duration.js";
import { nearest } from "./nearest.js";

/** Something in the file that must be corrected. */
export interface ConfigFault {
  /** Line of the file, from 1. */
  readonly line: number;
  /** Place in the file: `sites[0].meters[1].unit`; "" for the file itself. */
  readonly path: string;
  readonly message: string;
}

/** What all values of a file share. */
export interface ConfigFile {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly faults: ConfigFault[];
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/**
 * A value of the file at its place. Each method reads it as one type; where that is impossible it notes a fault and
 * returns a placeholder, so that one run reports every fault.
 */
export class ConfigValue {
  private readonly node: Node | null;

  constructor(
    private readonly file: ConfigFile,
    node: Node | null | undefined,
    readonly path: string,
    /** Where the file would have it, if it is missing. */
    private readonly parentLine: number,
  ) {
    this.node = (isAlias(node) ? node.resolve(file.document) : node) ?? null;
  }

  get isMissing(): boolean {
    return this.node === null || (isScalar(this.node) && this.node.value === null);
  }

  get isNumber(): boolean {
    return isScalar(this.node) && typeof this.node.value === "number";
  }

  get isFlag(): boolean {
    return isScalar(this.node) && typeof this.node.value === "boolean";
  }

  get line(): number {
    const offset = this.node?.range?.[0];
    return offset === undefined ? this.parentLine : this.file.lines.linePos(offset).line;
  }

  fault(message: string): void {
    this.file.faults.push({ line: this.line, path: this.path, message });
  }

  /** `fallback` where the file has nothing. */
  or<T, F>(fallback: F, read: (value: ConfigValue) => T): T | F {
    return this.isMissing ? fallback : read(this);
  }

  text(what = "text"): string {
    const value = this.scalar(what);
    if (typeof value === "string" && value !== "") return value;
    if (value !== undefined) this.fault(`must be ${what}${typeof value === "string" ? "" : "; put it into quotes"}`);
    return "";
  }

  /** The working directory of a service is not what its author thinks of. */
  absolutePath(what: string): string {
    const path = this.text(what);
    if (path !== "" && !isAbsolute(path)) this.fault("must be an absolute path");
    return path;
  }

  number({ min = -1e12, max = 1e12 }: Bounds = {}): number {
    const value = this.scalar("a number");
    if (typeof value === "number" && Number.isFinite(value) && value >= min && value <= max) return value;
    if (value !== undefined) this.fault(`must be a number${rangeWords(min, max)}`);
    return Math.max(min, 0);
  }

  whole(bounds: Bounds): number {
    const value = this.number(bounds);
    if (!Number.isInteger(value)) this.fault("must be a whole number");
    return Math.trunc(value);
  }

  /** Milliseconds. */
  duration({ min = 0, max = 7 * 86_400_000 }: Bounds = {}): number {
    const value = this.scalar("a duration such as 30s, 5m or 1h30m");
    const ms = typeof value === "string" ? parseDuration(value) : null;
    if (ms !== null && ms >= min && ms <= max) return ms;
    if (value !== undefined)
      this.fault(
        ms === null
          ? "must be a duration such as 30s, 5m or 1h30m"
          : `must be from ${formatDuration(min)} to ${formatDuration(max)}`,
      );
    return min;
  }

  flag(): boolean {
    const value = this.scalar("true or false");
    if (value !== undefined && typeof value !== "boolean") this.fault("must be true or false");
    return value === true;
  }

  choice<const T extends string>(names: readonly [T, ...T[]]): T {
    const value = this.scalar(`one of ${names.join(", ")}`);
    const found = names.find((name) => name === value);
    if (found === undefined && value !== undefined)
      this.fault(`must be one of ${names.join(", ")}${typeof value === "string" ? meant(value, names) : ""}`);
    return found ?? names[0];
  }

  /** Members of a mapping with fixed names; others are faults. */
  members<const T extends string>(names: readonly T[]): Readonly<Record<T, ConfigValue>> {
    const pairs = this.pairs();
    for (const [name, value] of pairs)
      if (!names.some((known) => known === name))
        value.fault(`is not a known setting${meant(name, names) || `; known here: ${names.join(", ")}`}`);
    const found = new Map(pairs);
    const entries = names.map((name) => [name, found.get(name) ?? this.child(null, name)]);
    return Object.fromEntries(entries) as Record<T, ConfigValue>;
  }

  /** Members of a mapping with names of the user's choice. */
  pairs(): ReadonlyArray<readonly [string, ConfigValue]> {
    if (this.isMissing) return [];
    if (!isMap(this.node)) {
      this.fault("must be a mapping of names to values");
      return [];
    }
    return this.node.items.map(({ key, value }) => {
      const name = String(isScalar(key) ? key.value : key);
      return [name, this.child(value as Node | null, name, isScalar(key) ? key : null)];
    });
  }

  items(): readonly ConfigValue[] {
    if (this.isMissing) return [];
    if (isSeq(this.node)) return this.node.items.map((item, index) => this.child(item as Node, `[${index}]`));
    this.fault('must be a list: each entry begins with "- "');
    return [];
  }

  /** A mapping with one member, whose name is one of `names`; null with a fault otherwise. */
  variant<const T extends string>(names: readonly T[]): readonly [T, ConfigValue] | null {
    const members = this.members(names);
    const given = names.filter((name) => !members[name].isMissing);
    const [name] = given;
    if (given.length === 1 && name !== undefined) return [name, members[name]];
    this.fault(
      given.length === 0 ? `needs one of ${names.join(", ")}` : `has ${given.join(" and ")}; keep one of them`,
    );
    return null;
  }

  private child(node: Node | null, name: string, key: Node | null = null): ConfigValue {
    const path = name.startsWith("[") || this.path === "" ? this.path + name : `${this.path}.${name}`;
    const offset = key?.range?.[0];
    return new ConfigValue(this.file, node, path, offset === undefined ? this.line : this.lineAt(offset));
  }

  private lineAt(offset: number): number {
    return this.file.lines.linePos(offset).line;
  }

  /** undefined after a fault: it is missing or not a single value. */
  private scalar(what: string): unknown {
    if (isScalar(this.node) && this.node.value !== null) return this.node.value;
    this.fault(this.isMissing ? `is missing: give ${what}` : `must be ${what}`);
    return undefined;
  }
}

const meant = (written: string, known: readonly string[]): string => {
  const name = nearest(written, known);
  return name === null ? "" : `; did you mean ${name}?`;
};

const rangeWords = (min: number, max: number): string => {
  if (min === -1e12 && max === 1e12) return "";
  if (max === 1e12) return ` of at least ${min}`;
  return min === -1e12 ? ` of at most ${max}` : ` from ${min} to ${max}`;
};
