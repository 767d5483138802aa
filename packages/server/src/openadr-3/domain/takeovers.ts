/** So many connections of one client that ended another of it, within this time, are two programs with its credentials. */
const MANY = 4;
const WITHIN_MS = 300_000;
/** Clients that are remembered; each one that takes another's place is noted again soon. */
const MAX_CLIENTS = 10_000;

/** Connections that ended an earlier one of the same client, which a broker allows one at a time. */
export class Takeovers {
  private readonly timesMs = new Map<string, readonly number[]>();

  /** Notes one; true if there were so many that the client is used more than once at a time. */
  note(clientId: string, nowMs: number): boolean {
    const recent = [...(this.timesMs.get(clientId) ?? []), nowMs].slice(-MANY);
    if (this.timesMs.size >= MAX_CLIENTS) this.timesMs.clear();
    this.timesMs.set(clientId, recent);
    return recent.length === MANY && nowMs - (recent[0] ?? nowMs) <= WITHIN_MS;
  }
}
