/** The database's time, which decides what is due. */
export interface Clock {
  now(): Date;
}

/** Makes opaque, unguessable ids: `dis_…`, `site_…`. */
export type NewId = (prefix: string) => string;
