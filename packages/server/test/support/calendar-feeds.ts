import { type ParsedEvent, parsedCalendar } from "./calendars.js";
import { newProgram } from "./dispatching.js";
import { type Answer, httpClient } from "./http-client.js";
import { type Browser, newBrowser } from "./people.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
export let anna: Participant;
export let ann: Browser;
export let programId: string;

export const prepare = async () => {
  service = await running();
  anna = await service.newParticipant({ name: "Mill; Ltd, North", sites: [["main"], ["main"]] });
  programId = await newProgram(service, [anna], { name: "Summer Peak" });
};

export const prepareEach = async () => {
  ann = await newBrowser(service, "participant-viewer", anna.accountId);
};

export const read = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  httpClient(service.url)("GET", path, undefined, headers);

export const eventsOf = async (path: string): Promise<readonly ParsedEvent[]> =>
  parsedCalendar((await read(path)).text).events;

export const eventOf = async (path: string, id: string): Promise<ParsedEvent | undefined> =>
  (await eventsOf(path)).find(({ uid }) => uid === `${id}@curtail`);

export const instant = (text: string | undefined): number => Date.parse(text ?? "");
