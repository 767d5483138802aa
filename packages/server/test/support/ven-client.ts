import { Agent, request } from "node:https";
import { type DistributeEvent, type Event, type Message, parseMessage, type Response } from "@curtail/openadr";
import { expect } from "vitest";
import { validate } from "../../../openadr/test/support/schema.js";

/** PEM. */
export interface Credentials {
  readonly key: string;
  readonly certificate: string;
}

export interface VenReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface VenPost {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface VenClientOptions {
  readonly port: number;
  readonly ca: string;
  readonly venId: string;
  /** null: it has no certificate. */
  readonly credentials: Credentials | null;
  readonly tls?: Readonly<Record<string, unknown>>;
}

const NAMESPACES =
  'xmlns:ei="http://docs.oasis-open.org/ns/energyinterop/201110" ' +
  'xmlns:pyld="http://docs.oasis-open.org/ns/energyinterop/201110/payloads" ' +
  'xmlns="http://openadr.org/oadr-2.0a/2012/07"';

export interface RequestOptions {
  readonly venId?: string;
  readonly requestId?: string;
  readonly replyLimit?: number;
}

export interface Answering {
  readonly opt?: "optIn" | "optOut";
  readonly venId?: string;
  /** Overrides the one it received. */
  readonly modificationNumber?: number;
  /** Code of each answer; default: 200. */
  readonly code?: string;
  /** Code of the whole message; default: 200. */
  readonly messageCode?: string;
  readonly description?: string;
}

/** Sends and reads what VENs in the field do, over real TLS; every answer with a body is checked against the schema. */
export class VenClient {
  private readonly agent: Agent;
  private count = 0;

  constructor(private readonly options: VenClientOptions) {
    this.agent = new Agent({ keepAlive: true });
  }

  get venId(): string {
    return this.options.venId;
  }

  post(body: string | Buffer, { path, method = "POST", headers = {} }: VenPost = {}): Promise<VenReply> {
    const { port, ca, credentials, tls = {} } = this.options;
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port,
          ca,
          agent: this.agent,
          method,
          path: path ?? `/vtn/${this.venId}/OpenADR2/Simple/EiEvent`,
          headers: { "content-type": "application/xml", "content-length": Buffer.byteLength(body), ...headers },
          ...(credentials === null ? {} : { key: credentials.key, cert: credentials.certificate }),
          ...tls,
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => (text += chunk));
          response.on("error", reject);
          response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  request(options: RequestOptions = {}): Promise<VenReply> {
    return this.post(requestXml({ venId: this.venId, requestId: `request-${++this.count}`, ...options }));
  }

  /** Polls and expects an answer. */
  async poll(options: RequestOptions = {}): Promise<DistributeEvent> {
    const reply = await this.request(options);
    expect(reply.status, reply.text).toBe(200);
    const message = read(reply);
    if (message.kind !== "distributeEvent") throw new Error(`a poll was answered with ${message.kind}`);
    return message;
  }

  async events(): Promise<readonly Event[]> {
    return (await this.poll()).events;
  }

  /** Answers these events, and expects success. */
  async answer(events: readonly Event[], answering: Answering = {}): Promise<Response> {
    const reply = await this.post(createdXml(answering.venId ?? this.venId, events, answering));
    expect(reply.status, reply.text).toBe(200);
    const message = read(reply);
    if (message.kind !== "response") throw new Error(`an acknowledgement was answered with ${message.kind}`);
    return message;
  }

  close(): void {
    this.agent.destroy();
  }
}

/** The message of a reply, which must meet OpenADR 2.0a's schema and transport rules. */
export const read = ({ headers, text }: VenReply): Message => {
  expect(headers["content-type"]).toBe("application/xml");
  expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
  expect(headers["transfer-encoding"]).toBeUndefined();
  return readSent(text);
};

/** A message that the VTN sent. */
export const readSent = (xml: string): Message => {
  validate(xml);
  const message = parseMessage(Buffer.from(xml));
  if (message.kind === "refusal") throw new Error(message.description);
  return message;
};

export const requestXml = ({ venId = "", requestId = "request-1", replyLimit }: RequestOptions): string =>
  `<?xml version="1.0" encoding="utf-8"?><oadrRequestEvent ${NAMESPACES}><pyld:eiRequestEvent>` +
  `<pyld:requestID>${requestId}</pyld:requestID><ei:venID>${venId}</ei:venID>` +
  (replyLimit === undefined ? "" : `<pyld:replyLimit>${replyLimit}</pyld:replyLimit>`) +
  "</pyld:eiRequestEvent></oadrRequestEvent>";

/** In the order of a VEN in the field, which differs from that of the schema. */
export const createdXml = (
  venId: string,
  events: readonly Event[],
  { opt = "optIn", modificationNumber, code = "200", messageCode = "200", description = "OK" }: Answering,
): string =>
  `<?xml version="1.0" encoding="utf-8"?><oadrCreatedEvent ${NAMESPACES}><pyld:eiCreatedEvent>` +
  `<ei:eiResponse>${outcome(messageCode, description)}</ei:eiResponse><ei:venID>${venId}</ei:venID><ei:eventResponses>` +
  events
    .map(
      ({ descriptor }) =>
        `<ei:eventResponse>${outcome(code, description)}<ei:qualifiedEventID>` +
        `<ei:eventID>${descriptor.eventId}</ei:eventID><ei:modificationNumber>` +
        `${modificationNumber ?? descriptor.modificationNumber}</ei:modificationNumber></ei:qualifiedEventID>` +
        `<ei:optType>${opt}</ei:optType></ei:eventResponse>`,
    )
    .join("") +
  "</ei:eventResponses></pyld:eiCreatedEvent></oadrCreatedEvent>";

const outcome = (code: string, description: string): string =>
  `<ei:responseCode>${code}</ei:responseCode><ei:responseDescription>${description}</ei:responseDescription>` +
  "<pyld:requestID>created-1</pyld:requestID>";
