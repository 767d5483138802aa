import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { participantClient } from "@curtail/client";
import { operator, uploadTelemetry } from "@curtail/contract";
import { type CodeBlock, root } from "@curtail/docs";
import { atEnd } from "@curtail/testing/at-end";
import { vi } from "vitest";
import { newParticipant, operate, type Participant } from "../participant.js";
import { OPERATOR_TOKEN, type ServiceProcess } from "../service-process.js";
import { webService } from "../web-service.js";
import { registerWebhook } from "../webhooks.js";
import { commandFolder } from "./command-folder.js";
import type { Documented } from "./placeholders.js";

const MINUTE_MS = 60_000;
const PROGRAM = { timezone: "America/Chicago", market: "ERCOT", program_type: "capacity" } as const;

const REPLAYED_HEAD = "meter,asset_type,interval_end_utc,interval_seconds,kw";

/** A notice as the documented webhook got it. */
export interface Notice {
  /** Path of the webhook that it was sent to. */
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Of the webhook that is there from the start: pages register others at the same receiver. */
export const OWN_PATH = "own";

/** A service with one of everything that the pages name, and a folder with the files that they name. */
export class DocumentedService {
  private constructor(
    readonly service: ServiceProcess,
    readonly participant: Participant,
    readonly folder: string,
    readonly hookUrl: string,
    readonly notices: readonly Notice[],
    private readonly ids: Readonly<Record<string, string>>,
  ) {}

  static async start(): Promise<DocumentedService> {
    const service = await webService({ CURTAIL_RATE_LIMIT: "100000" });
    const { url } = service;
    const participant = await newParticipant(url, 1);
    const [site] = participant.sites;
    const { hookUrl, notices } = await hook();
    const webhook = await registerWebhook(url, participant, hookUrl + OWN_PATH);
    await sendReading(url, participant);
    await operate(url, operator.createProgram, { body: { ...PROGRAM, name: "Peak hours" } });
    await dispatchUnreachable(url);
    const folder = await folderWithFiles();
    const ids = { acc: participant.accountId, site: site?.id ?? "", mtr: site?.meterId ?? "", wh: webhook.id };
    return new DocumentedService(service, participant, folder, hookUrl, notices, ids);
  }

  /** What stands for something in a block of code: a program and a dispatch are new for each, and what else it names. */
  async values({ notes, text }: Pick<CodeBlock, "notes" | "text"> = { notes: {}, text: "" }): Promise<Documented> {
    const { url, sandboxUrl } = this.service;
    const program = await this.newProgram();
    const dispatch = await this.newDispatch(program, notes["dispatch"] ?? "upcoming");
    const names = (what: string): boolean => text.includes(what);
    const client = names("oac_") ? await this.newOpenadrClient() : null;
    return {
      url,
      sandboxUrl,
      hookUrl: this.hookUrl,
      operatorToken: OPERATOR_TOKEN,
      apiKey: this.participant.key,
      openadr3Url: await this.openadr3Url(),
      clientSecret: client?.client_secret ?? "",
      claimUrl: names("/claim/") ? await this.newClaim() : "",
      ids: {
        ...this.ids,
        prg: program,
        dis: dispatch,
        ...(names("usr_") ? { usr: await this.newUser() } : {}),
        ...(names("ven_") ? await this.newVen() : {}),
        ...(client === null ? {} : { oac: client.id }),
        ...(names("oap_") || names("oae_") ? await this.newOpenadrEvent() : {}),
        ...(names("DELIVERY-ID") ? { dlv: await this.firstDelivery(dispatch) } : {}),
        ...(names("ALARM-ID") ? { alm: await this.firstAlarm() } : {}),
        ...(names("GROUP-ID") ? { grp: await this.firstGroup() } : {}),
      },
    };
  }

  private async newUser(): Promise<string> {
    const email = `${crypto.randomUUID()}@example.com`;
    const body = { email, name: "Ben Osei", role: "operator", account_id: null } as const;
    return (await operate(this.service.url, operator.createUser, { body })).id;
  }

  /** A price that is in force, in a program that has limits, too. */
  private async newOpenadrEvent(): Promise<{ oap: string; oae: string }> {
    const { url } = this.service;
    const payloads = [
      { payload_type: "PRICE" as const, units: "KWH", currency: "EUR" },
      { payload_type: "IMPORT_CAPACITY_LIMIT" as const, units: "KW" },
      { payload_type: "IMPORT_CAPACITY_SUBSCRIPTION" as const, units: "KW" },
    ];
    const program = await operate(url, operator.createOpenadrProgram, {
      body: { name: crypto.randomUUID(), payloads, public: true },
    });
    const start_time = new Date(Date.now() - 60_000).toISOString();
    const told = { payload_type: "PRICE" as const, start_time, interval_seconds: 3600, values: [0.2] };
    const event = await operate(url, operator.createOpenadrEvent, { body: { program_id: program.id, ...told } });
    return { oap: program.id, oae: event.id };
  }

  private firstDelivery(id: string): Promise<string> {
    return vi.waitFor(async () => {
      const { items } = await operate(this.service.url, operator.listDispatchDeliveries, { params: { id } });
      return idOf(items);
    });
  }

  /** Of the account that nothing reaches. */
  private firstAlarm(): Promise<string> {
    const look = async () => idOf((await operate(this.service.url, operator.listAlarms)).items);
    return vi.waitFor(look, { timeout: 20_000, interval: 200 });
  }

  private firstGroup(): Promise<string> {
    const look = async () => idOf((await operate(this.service.url, operator.listAlarmGroups)).items);
    return vi.waitFor(look, { timeout: 20_000, interval: 200 });
  }

  private async newVen(): Promise<{ ven: string; fingerprint: string }> {
    const { url } = this.service;
    const body = { ven_id: `ven-${crypto.randomUUID().slice(0, 8)}` };
    const ven = await operate(url, operator.createVen, { params: { id: this.participant.accountId }, body });
    const csr = readFileSync(join(this.folder, "store-4711.csr"), "utf8");
    const certified = await operate(url, operator.certifyVen, { params: { id: ven.id }, body: { csr } });
    return { ven: ven.id, fingerprint: "fingerprint" in certified ? certified.fingerprint : "" };
  }

  private newOpenadrClient(): Promise<operator.NewOpenadr3Client> {
    const params = { id: this.participant.accountId };
    return operate(this.service.url, operator.createOpenadrClient, { params, body: { name: crypto.randomUUID() } });
  }

  private async openadr3Url(): Promise<string> {
    const { openadr3_url } = await operate(this.service.url, operator.getAddresses);
    return new URL(openadr3_url ?? "").origin;
  }

  private async newProgram(): Promise<string> {
    const { url } = this.service;
    const body = { ...PROGRAM, name: `Peak ${crypto.randomUUID()}` };
    const { id } = await operate(url, operator.createProgram, { body });
    const params = { id, site_id: this.ids["site"] ?? "" };
    await operate(url, operator.enrolSite, { params, body: { commitment: 50 } });
    return id;
  }

  private async newDispatch(program_id: string, state: string): Promise<string> {
    const { url } = this.service;
    const start_time = new Date(Date.now() + (state === "started" ? -1000 : 10 * MINUTE_MS)).toISOString();
    const { id } = await operate(url, operator.createDispatch, { body: { program_id, start_time } });
    if (state === "cancelled")
      await operate(url, operator.changeDispatch, { params: { id }, body: { authorized: false } });
    return state === "over" ? this.ended(program_id) : id;
  }

  /** Issued before its end: of a dispatch that is over when it is created, nobody is notified. */
  private async ended(program_id: string): Promise<string> {
    const { url } = this.service;
    const body = { program_id, start_time: timeBefore(2000) };
    const { id } = await operate(url, operator.createDispatch, { body });
    await operate(url, operator.changeDispatch, { params: { id }, body: { end_time: timeBefore(1000) } });
    return id;
  }

  private async newClaim(): Promise<string> {
    const input = { params: { id: this.participant.accountId }, body: { environment: "sandbox" } } as const;
    return (await operate(this.service.url, operator.createKey, input)).claim_url;
  }
}

const timeBefore = (ms: number): string => new Date(Date.now() - ms).toISOString();

const idOf = ([first]: readonly { readonly id: string }[]): string => {
  if (first === undefined) throw new Error("there is none yet");
  return first.id;
};

/** A dispatch of an account without any channel or contact: an alarm follows. */
const dispatchUnreachable = async (url: string): Promise<void> => {
  const { sites } = await newParticipant(url, 1);
  const { id } = await operate(url, operator.createProgram, { body: { ...PROGRAM, name: "Without channels" } });
  for (const site of sites)
    await operate(url, operator.enrolSite, { params: { id, site_id: site.id }, body: { commitment: 10 } });
  const start_time = new Date(Date.now() + MINUTE_MS).toISOString();
  await operate(url, operator.createDispatch, { body: { program_id: id, start_time } });
};

const sendReading = (url: string, { key, sites }: Participant): Promise<unknown> => {
  const timestamp = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS).toISOString();
  const telemetry = sites.map(({ meterId }) => ({ meter_id: meterId, interval_seconds: 60, timestamp, kW: 412.5 }));
  return participantClient({ url, key }).call(uploadTelemetry, { body: { telemetry } });
};

/** A webhook that accepts everything and keeps it. */
const hook = async () => {
  const notices: Notice[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    notices.push({ path: request.url, headers: request.headers, body });
    response.end();
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { hookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, notices };
};

/** The folder in which the commands run: the examples, files with the names of the pages, and our commands. */
const folderWithFiles = async (): Promise<string> => {
  const path = await commandFolder();
  symlinkSync(join(root, "examples"), join(path, "examples"));
  symlinkSync(join(root, "examples", "meter-data", "green-button.xml"), join(path, "usage.xml"));
  writeFileSync(join(path, "building.csv"), `${REPLAYED_HEAD}\negauge_main,load,2026-07-01T05:01:00Z,60,2.8845\n`);
  const key = ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=store"];
  execFileSync("openssl", [...key, "-keyout", join(path, "store-4711.key"), "-out", join(path, "store-4711.csr")], {
    stdio: "ignore",
  });
  return path;
};
