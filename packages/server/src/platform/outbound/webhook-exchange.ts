import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, errors } from "undici";
import { isRedirect, KEPT_RESPONSE_BYTES, MAX_RESPONSE_BYTES } from "../attempt.js";

/** The connection of a request. */
export interface Connection {
  /** Remote address; null until it is connected. */
  readonly address: string | null;
  /** Counts a request that is about to be written. */
  begin(): void;
  /** Whether earlier requests were written to it. */
  readonly isReused: boolean;
}

/** Progress of a request; filled in step by step, so that it is available for failed requests too. */
export interface Progress {
  /** null until the request has a connection. */
  connection: Connection | null;
  status: number | null;
  /** The Content-Type of the response. */
  contentType: string | null;
  responseStart: Buffer;
}

/** The response to a request. The body of a redirect is not read. */
export interface Answer {
  readonly status: number;
  readonly location: string | string[] | undefined;
  /** false if the response was longer than what we read. */
  readonly isWhole: boolean;
}

export interface Settle {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Interim responses (1xx) before the response; more would keep us reading without end. */
const MAX_INTERIM_RESPONSES = 20;

/** Ends a request whose outcome is known; undici closes the connection. */
const enough = new Error("enough was read");

/** One request and its response, by undici's callbacks: its streams and abort signals cost as much as the request. */
export class WebhookExchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private isOver = false;
  private location: string | string[] | undefined;
  private bytes = 0;
  private interim = 0;

  constructor(
    private readonly progress: Progress,
    private readonly settle: Settle,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.progress.connection?.begin();
    // It was cut while waiting for a connection.
    if (this.isOver) controller.abort(enough);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return this.readPast();
    this.progress.status = status;
    this.progress.contentType = [headers["content-type"]].flat()[0] ?? null;
    this.location = headers.location;
    if (isRedirect(status)) this.answer(false);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return;
    const { progress } = this;
    const room = KEPT_RESPONSE_BYTES - progress.responseStart.length;
    if (room > 0) progress.responseStart = Buffer.concat([progress.responseStart, chunk.subarray(0, room)]);
    this.bytes += chunk.length;
    if (this.bytes > MAX_RESPONSE_BYTES) this.answer(false);
  }

  onResponseEnd(): void {
    this.answer(true);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.end(() => this.settle.reject(error));
  }

  /** Aborts at any stage when the attempt's time is over; after the end it does nothing. */
  cut(error: Error): void {
    if (this.isOver) return;
    this.end(() => this.settle.reject(error));
    this.controller?.abort(enough);
  }

  private readPast(): void {
    this.interim += 1;
    if (this.interim > MAX_INTERIM_RESPONSES) this.cut(new errors.HTTPParserError("too many interim responses"));
  }

  private answer(isWhole: boolean): void {
    const { status } = this.progress;
    if (status !== null) this.end(() => this.settle.resolve({ status, location: this.location, isWhole }));
    if (!isWhole) this.controller?.abort(enough);
  }

  private end(settle: () => void): void {
    if (this.isOver) return;
    this.isOver = true;
    settle();
  }
}
