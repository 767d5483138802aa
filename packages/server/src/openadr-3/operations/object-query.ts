/** The filters of all searches, by the names of the specification. */
export interface ObjectQuery {
  readonly skip?: number;
  readonly limit?: number;
  readonly targets?: readonly string[];
  readonly programID?: string;
  readonly eventID?: string;
  readonly venID?: string;
  readonly clientName?: string;
  readonly venName?: string;
  readonly resourceName?: string;
  readonly objects?: readonly string[];
  readonly active?: boolean;
}
