import { type BodyOf, operator } from "@curtail/contract";
import { type Ahead, ahead, newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;

export const prepare = async () => {
  service = await running();
};

export let anna: Participant;
export let ben: Participant;
export let program: string;

export const preparePreview = async () => {
  anna = await service.newParticipant({ name: "Anna", sites: [["main"], ["main"]] });
  ben = await service.newParticipant({ name: "Ben" });
  program = await newProgram(service, [anna, ben]);
};

export const preview = (body: object = {}, program_id = program) =>
  service.operator(operator.previewDispatch, {
    body: { program_id, start_time: ahead(service, { hours: 1 }), ...body },
  });

export const accountIn = async (participant: Participant) => {
  const { body } = await preview({}, await newProgram(service, [participant]));
  const [account] = body.accounts;
  if (account === undefined) throw new Error("the preview names no account");
  return account;
};

interface Overlap {
  readonly dispatch_id: string;
  readonly program: string;
  readonly until: string | null;
  readonly test: boolean;
}

interface Site {
  readonly id: string;
  readonly overlaps: readonly Overlap[];
}

interface Issued {
  readonly id: string;
  readonly sites: readonly Site[];
}

export const overlapsOf = ({ sites }: Issued): Overlap[][] => sites.map(({ overlaps }) => [...overlaps]);

export const between = (from: Ahead, to: Ahead | null) => ({
  start_time: ahead(service, from),
  end_time: to === null ? null : ahead(service, to),
});

export let twoSites: Participant;
export let peak: string;
export let reserve: string;

export const prepareOverlaps = async () => {
  twoSites = await service.newParticipant({ name: "Anna", sites: [["main"], ["main"]] });
  peak = await newProgram(service, [twoSites], { name: "Peak" });
  reserve = await newProgram(service, [twoSites], { name: "Reserve" });
};

export const issue = (body: Omit<BodyOf<typeof operator.createDispatch>, "program_id">, program_id = reserve) =>
  service.made(operator.createDispatch, { body: { program_id, ...body } });
export const one = (index: number) => [{ site_id: twoSites.sites[index]?.id ?? "" }];
