/** A newer version stored something that this one cannot read, and therefore does not overwrite. */
export class NewerFormat extends Error {
  /** @param what for example "the result of a site" */
  constructor(what: string) {
    super(`${what} was stored by a newer version of the service; try again once every process is upgraded`);
  }
}
