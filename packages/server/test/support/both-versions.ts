import { expect } from "vitest";
import { httpClient, type Send } from "./http-client.js";

/** Calls 2020-12-30 with a key, at the address of production or the sandbox. */
export const previousCall = (url: string, key: string): Send =>
  httpClient(`${url}/2020-12-30`, { authorization: `Bearer ${key}` });

const NAMES: Readonly<Record<string, string>> = { sites: "facilities", site_id: "facility_id" };
const ID = /^(dis|mtr|prg|scn|site|wh)_\w+$/;

/** Which number stands for which id, as answers showed it: one for one, whoever answered. */
export class Numbers {
  private readonly byId = new Map<string, number>();
  private readonly byNumber = new Map<number, string>();

  /** Expects that an answer of the earlier version says what one of the current version says. */
  compare(current: unknown, previous: unknown, place = "the answer"): void {
    // Texts of the operator, whatever they look like.
    if (place.endsWith(".metadata")) expect(previous, place).toEqual(current);
    else if (Array.isArray(current)) {
      expect(previous, place).toHaveLength(current.length);
      for (const [index, each] of current.entries())
        this.compare(each, (previous as unknown[])[index], `${place}[${index}]`);
    } else if (typeof current === "object" && current !== null) {
      const members = Object.entries(current).map(([name, value]) => [NAMES[name] ?? name, value] as const);
      expect(Object.keys(previous as object), place).toEqual(members.map(([name]) => name));
      for (const [name, value] of members)
        this.compare(value, (previous as Record<string, unknown>)[name], `${place}.${name}`);
    } else if (typeof current === "string" && ID.test(current)) this.pair(current, previous, place);
    else expect(previous, place).toEqual(current);
  }

  /** The number of an id that was compared. */
  of(id: string | undefined): number {
    const number = this.byId.get(id ?? "");
    if (number === undefined) throw new Error(`no answer had ${id}`);
    return number;
  }

  private pair(id: string, number: unknown, place: string): void {
    expect(Number.isInteger(number), `${place} is ${String(number)}`).toBe(true);
    expect(this.byId.get(id) ?? number, `${place}: ${id}`).toBe(number);
    expect(this.byNumber.get(number as number) ?? id, `${place}: ${String(number)}`).toBe(id);
    this.byId.set(id, number as number);
    this.byNumber.set(number as number, id);
  }
}
