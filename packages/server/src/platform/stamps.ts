/** The parts of what participants and VENs can see; each change of a part gives it a new stamp. */
export type VisiblePart = "access" | "dispatches" | "ven_events";

/** What was read after a part's stamp holds while the stamp stays the same. */
export type Stamps = Readonly<Record<VisiblePart, string>>;

/** Reads the stamps as they are now; never older than the call. */
export type ReadStamps = () => Promise<Stamps>;
