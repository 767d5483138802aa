import { say } from "@curtail/words/page";
import type { FeatureCollection, MultiLineString } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import statesUrl from "us-atlas/states-10m.json?url";
import countriesUrl from "world-atlas/countries-50m.json?url";
import { unwrapped } from "./unwrapped.js";

type Countries = Topology<{ countries: GeometryCollection }>;
type States = Topology<{ states: GeometryCollection }>;

/** What is drawn under the sites without any other host. */
export interface Outline {
  readonly land: FeatureCollection;
  readonly borders: MultiLineString;
  /** Of the United States, whose grids end at them. */
  readonly states: MultiLineString;
}

/** Files that the pages come with, so that their form is known. */
const fetched = async <T>(url: string): Promise<T> => {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(say("The outline of the map could not be loaded ({status}).", { status: response.status }));
  return (await response.json()) as T;
};

export const loadOutline = async (): Promise<Outline> => {
  const [world, us] = await Promise.all([fetched<Countries>(countriesUrl), fetched<States>(statesUrl)]);
  return {
    land: flat(feature(world, world.objects.countries)),
    borders: unwrapped(mesh(world, world.objects.countries, isShared)),
    // With their coasts: those of the great lakes are no borders of countries.
    states: unwrapped(mesh(us, us.objects.states)),
  };
};

/** What only one country has is its coast, which the colours show. */
const isShared = (one: object, other: object): boolean => one !== other;

const flat = ({ features, ...rest }: FeatureCollection): FeatureCollection => ({
  ...rest,
  features: features.map((each) => ({ ...each, geometry: unwrapped(each.geometry) })),
});
