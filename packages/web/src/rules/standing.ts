const REBOUND_MS = 3_600_000;

/** Whether a dispatch has been over for so long that its result may be final. */
export const mayBeFinal = ({ end_time }: { readonly end_time: string | null }, now: Date): boolean =>
  end_time !== null && now.getTime() >= Date.parse(end_time) + REBOUND_MS;
