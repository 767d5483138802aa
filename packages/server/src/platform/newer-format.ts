/** Something stored was written by a newer version, in a way that this one cannot read, and so does not replace. */
export class NewerFormat extends Error {
  /** @param what "the result of a site" */
  constructor(what: string) {
    super(`${what} was stored by a newer version of the service; try again once every process is upgraded`);
  }
}
