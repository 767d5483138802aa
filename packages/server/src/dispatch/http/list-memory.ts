import type { Clock } from "../../platform/clock.js";
import { FreshMemory } from "../../platform/fresh-memory.js";
import { entityTag } from "../../platform/http/entity-tag.js";
import type { Dispatch } from "../domain/dispatch.js";
import { listed, listedSince, listedUntil } from "../operations/dispatch-service.js";
import type { ShownList } from "../operations/follow-dispatches.js";
import { dispatchToWire } from "./wire-dispatch.js";

/** An account's answer to GET /dispatches. */
export interface ListAnswer extends ShownList {
  /** JSON. */
  readonly body: string;
  readonly tag: string;
  /** Length of the body in UTF-8, in decimal digits. */
  readonly bytes: string;
}

interface ListPorts {
  /** Dispatches of each account that may be listed: a superset of the list. */
  readonly recentOfEach: (accountIds: readonly string[], since: Date) => Promise<ReadonlyArray<readonly Dispatch[]>>;
  readonly clock: Clock;
}

/** An account's dispatches, and the last answer made of them. */
interface Remembered {
  readonly recent: readonly Dispatch[];
  answer: ListAnswer | null;
}

/** For some 100,000 answers with one dispatch of a few sites each. */
const MOST_BYTES = 128 * 1024 * 1024;
/** Of a dispatch and of a site of it, in memory and as JSON. */
const DISPATCH_BYTES = 1000;
const SITE_BYTES = 600;

/** The lists of accounts, made from memory while nothing changes. */
export class ListMemory {
  private readonly memory: FreshMemory<Remembered>;

  constructor(private readonly ports: ListPorts) {
    this.memory = new FreshMemory<Remembered>({
      load: async (accountIds) => {
        const recent = await ports.recentOfEach(accountIds, listedSince(ports.clock.now()));
        return recent.map((dispatches) => ({ recent: dispatches, answer: null }));
      },
      bytesOf: ({ recent }) => recent.reduce((sum, dispatch) => sum + bytesOf(dispatch), DISPATCH_BYTES),
      mostBytes: MOST_BYTES,
    });
  }

  /** undefined: not in memory, or changed since. */
  known(accountId: string, stamp: string): ListAnswer | undefined {
    const remembered = this.memory.known(accountId, stamp);
    return remembered === undefined ? undefined : this.answerOf(remembered);
  }

  /** @param stamp read before this call */
  async find(accountId: string, stamp: string): Promise<ListAnswer> {
    return this.answerOf(await this.memory.find(accountId, stamp));
  }

  private answerOf(remembered: Remembered): ListAnswer {
    const now = this.ports.clock.now();
    const { answer } = remembered;
    if (answer !== null && (answer.until === null || now < answer.until)) return answer;
    return (remembered.answer = answerAt(remembered.recent, now));
  }
}

const bytesOf = ({ sites, metadata }: Dispatch): number =>
  DISPATCH_BYTES + sites.length * SITE_BYTES + 2 * JSON.stringify(metadata).length;

const answerAt = (recent: readonly Dispatch[], now: Date): ListAnswer => {
  const dispatches = listed(recent, now);
  const body = JSON.stringify({ dispatches: dispatches.map(dispatchToWire), page: 0, perPage: 0 });
  return {
    dispatches,
    body,
    tag: entityTag(body),
    bytes: String(Buffer.byteLength(body)),
    until: listedUntil(recent, now),
  };
};
