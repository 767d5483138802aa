import { participantClient } from "@curtail/client";
import { listDispatches } from "@curtail/contract";
import { Template } from "@huggingface/jinja";
import { expect } from "vitest";
import { parse } from "yaml";
import { filledIn } from "./placeholders.js";
import type { RecipeTest } from "./recipe-test.js";
import { uploaded } from "./uploaded.js";

interface Configuration {
  readonly rest: readonly {
    readonly resource: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly binary_sensor: readonly { readonly name: string; readonly value_template: string }[];
  }[];
  readonly rest_command: Readonly<
    Record<
      string,
      { url: string; method: string; headers: Record<string, string>; content_type: string; payload: string }
    >
  >;
}

/** The functions of Home Assistant that the templates call, at a time. */
const functionsAt = (nowMs: number) => ({
  as_timestamp: (time: string) => Date.parse(time) / 1000,
  now: () => new Date(nowMs).toISOString(),
  utcnow: () => ({ strftime: (format: string) => formatted(format, new Date(nowMs).toISOString()) }),
  states: () => "412.5",
});

const formatted = (format: string, iso: string): string =>
  format.replace("%Y-%m-%d", iso.slice(0, 10)).replace("%H", iso.slice(11, 13)).replace("%M", iso.slice(14, 16));

/** Polls, decides and sends as the configuration says, with the templates rendered. */
export const testHomeAssistant = async ({ blocks, values }: RecipeTest): Promise<void> => {
  const customTags = [{ tag: "!secret", resolve: () => values.apiKey }];
  const [configuration, automations] = blocks.map(({ text }) => parse(filledIn(text, values), { customTags }));
  const { rest, rest_command } = configuration as Configuration;
  const [{ resource, headers, binary_sensor } = { resource: "", headers: {}, binary_sensor: [] }] = rest;

  const response = await fetch(resource, { headers });
  expect(response.status).toBe(200);
  const { dispatches } = await participantClient({ url: values.url, key: values.apiKey }).call(listDispatches);
  const upcoming = dispatches.find(({ id }) => id === values.ids["dis"]);
  const startMs = Date.parse(upcoming?.start_time ?? "");
  const value_json = { dispatches: [upcoming] };
  const isOn = (atMs: number, json: object) =>
    new Template(binary_sensor[0]?.value_template ?? "").render({ ...functionsAt(atMs), value_json: json }).trim();
  expect(isOn(startMs - 1000, value_json)).toBe("false");
  expect(isOn(startMs + 1000, value_json)).toBe("true");
  expect(isOn(startMs + 1000, { dispatches: [{ ...upcoming, authorized: false }] })).toBe("false");
  expect(
    isOn(startMs + 2000, { dispatches: [{ ...upcoming, end_time: new Date(startMs + 1000).toISOString() }] }),
  ).toBe("false");
  expect(isOn(startMs, { dispatches: [] })).toBe("false");

  const [first] = Object.entries(rest_command);
  if (first === undefined) throw new Error("the configuration has no rest_command");
  const [name, command] = first;
  expect(command.method).toBe("post");
  const body = new Template(command.payload).render(functionsAt(Date.now()));
  const sent = Object.entries({ ...command.headers, "content-type": command.content_type });
  expect(await uploaded(command.url, { headers: sent, body })).toBe(1);
  const used = JSON.stringify(automations);
  expect(used).toContain(`rest_command.${name}`);
  expect(used).toContain("binary_sensor.curtail_dispatch");
};
