import type { BodyOf, participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";

export type ScenarioRequest = BodyOf<typeof participantConsole.createOwnScenario>;

const MINUTE_MS = 60_000;

const inMinutes = (minutes: number, nowMs: number): string =>
  new Date(nowMs + minutes * MINUTE_MS).toISOString().replace(/\.\d+Z$/, "Z");

const sites = [{ name: "Lakeside Store", customer_location_id: "STORE-0012", commitment: 100 }];
const program = { name: "Sandbox", timezone: "America/Chicago", market: "ERCOT", program_type: "capacity" } as const;

/** Announced in 10 minutes, from 30 to 70 minutes ahead, divided by the speed. */
export const scenarioAt = (type: ScenarioRequest["scenario_type"], speed: number, nowMs: number): ScenarioRequest => ({
  scenario_type: type,
  speed,
  notification_time: inMinutes(10, nowMs),
  start_time: inMinutes(30, nowMs),
  end_time: inMinutes(70, nowMs),
  sites,
  program,
});

/** A custom scenario to edit: the same dispatch, which is then prolonged and cancelled before its end. */
export const customExample = (nowMs: number): string => {
  const state = (published: number, end: number, more = {}) => ({
    published_time: inMinutes(published, nowMs),
    dispatch: { ...more, start_time: inMinutes(30, nowMs), end_time: inMinutes(end, nowMs), program, sites },
  });
  const states = [state(10, 70), state(20, 90), state(60, 90, { authorized: false })];
  const request: ScenarioRequest = {
    scenario_type: "custom",
    name: "Custom",
    speed: 120,
    dispatches: { first: { states } },
  };
  return JSON.stringify(request, null, 1);
};

/** The request that a text is, or why it is none; the service checks the rest. */
export type ParsedScenario = { readonly request: ScenarioRequest } | { readonly fault: string };

export const parsedScenario = (text: string): ParsedScenario => {
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject
      ? { request: parsed as ScenarioRequest }
      : { fault: say("Enter an object, in braces: {example}.", { example: "{ … }" }) };
  } catch (error) {
    return { fault: invalid(error, text) };
  }
};

/** Browsers give a line, a position or a part of the text. */
const invalid = (error: unknown, text: string): string => {
  const message = error instanceof Error ? error.message : "";
  const position = /position (\d+)/.exec(message)?.[1];
  const line = /line (\d+)/.exec(message)?.[1] ?? (position && text.slice(0, Number(position)).split("\n").length);
  const said = message
    .replace(/^JSON\.parse: /, "")
    .replace(/ (in JSON )?at (position|line) .*$/s, "")
    .replace(/ is not valid JSON$/, "");
  return line === undefined || line === ""
    ? say("This is not valid JSON: {why}.", { why: said })
    : say("This is not valid JSON in line {line}: {why}.", { line, why: said });
};
