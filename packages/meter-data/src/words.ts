/** Words in headers and cells of tables, without accents and in lower case: English, German, Dutch, French, Spanish, Italian. */
const list = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const electricity =
  "electric electrical electricity elektrisch elektriciteit elektrizitat electricite electricidad elettricita strom stroom";

export const words = {
  start: list(
    "start starts started starttime startdate begin begins beginn anfang startzeit startdatum from von van debut desde inicio inizio dalle vanaf aanvang hourbegin",
  ),
  end: list("end ends ending ended endtime enddate ende endzeit enddatum bis tot fin hasta fine einde eind until alle"),
  /** Words that alone, or with those of times, mark a start or an end. */
  weakStart: list("de du da dal ab"),
  weakEnd: list("to a au al"),
  time: list(
    "time date datetime timestamp datum uhrzeit zeit zeitstempel zeitpunkt tijd tijdstip tijdstempel horodate heure jour fecha hora ora data giorno dia tag dag day hour hr stunde uur he local utc gmt clock period interval intervall periode quarter read reading at of",
  ),
  hour: list("hour hr stunde uur heure hora ora he h hourending stunden"),
  meter: list(
    "meter meters meterid metername meternumber meterpoint zahler zahlernummer zahlpunkt meternummer aansluiting ean eancode mpan mprn mpr gsrn nmi pod pdl prm cups messlokation marktlokation malo melo zahlpunktbezeichnung device sensor entity contador contatore compteur esid esiid serial",
  ),
  /** Columns that, with the meter's, tell streams of it apart. */
  register: list(
    "register channel suffix direction richtung flow obis kanal registre sens energierichtung magnitude metertype type series kennzahl rodzaj kierunek code codice typ tipo readtype art con",
  ),
  energy: list(
    "electricity strom stroom elektriciteit kwh wh mwh energy energie energia energija usage use used consumption consumed verbrauch bezug verbruik afname reading readings consommation consumo demand delivered volume wert value values waarde valeur valor valore import imported load power leistung moc vermogen puissance potencia potenza lastgang prelievo soutirage export exported injectie einspeisung generation production",
  ),
  export: list(
    "export exported exports einspeisung einspeisen lieferung ruckspeisung injectie injection invoeding teruglevering teruggeleverd injected immissione immessa vertido excedente excedentes inyeccion returned return feedin surplus received oddanie oddana oddano rucklieferung gen generate generates generation generated production produced produktion erzeugung erzeugt solar pv productie produccion produzione yield yields ertrag opwek opgewekt opbrengst",
  ),
  /** What a title says of a device that makes energy. */
  production: list(
    "einspeisung erzeugung ertrag yield production produktion productie produccion produzione generation generator pv photovoltaik photovoltaic fotovoltaico photovoltaique solar inverter inverters wechselrichter onduleur omvormer inversor",
  ),
  /** Energy that is used, or comes from the grid. */
  load: list(
    "usage use used consumption consumed consume verbrauch verbraucht eigenverbrauch bezug verbruik afname consommation consumo prelievo soutirage demand delivered import imported imports load",
  ),
  /** Quantities that are no load. */
  other: list(
    "cost costs cout couts betrag importo tarif tarifa tariffa chf sek euros price rate tariff amount bill charge eur euro usd gbp kosten preis prix coste coste importe costo prezzo bedrag temperature temperatur temp volt voltage spannung current ampere amps humidity hz frequency factor cos phi kvar kvarh varh var reactive blindleistung blindarbeit kva kvah va scheinleistung apparent apparente aparente blind co2 emissions weather soc notes note comment comments bemerkung revision gas gaz m3 therms percent id no nr index number nummer count version",
  ),
  /** Things other than electricity that are counted in kWh. */
  otherEnergy: list("gas gaz heat heating thermal thermique warme waerme wmz kmz chaleur warmte calor calore earned"),
  electricity: list(electricity),
  electric: list(`${electricity} pump consumed power`),
  /** What electricity may be used for. */
  carrier: list("water"),
  /** Money, though it is counted by kWh. */
  money: list(
    "cost costs price rate tariff cout couts betrag importo tarif tarifa tariffa chf sek eur euro euros usd gbp kosten preis prix coste costo prezzo bedrag bill apparent scheinleistung apparente aparente reactive",
  ),
  extreme: list("max maximum min minimum peak spitze piek pointe pico picco"),
  cumulative: list(
    "zahlerstand stand meterstand standen register cumulative kumuliert cumul cumulatif acumulado lifetime index lettura lectura releve counter odometer tellerstand zahlwerk",
  ),
  total: list(
    "total totals totaal totale totaux summe gesamt gesamtsumme somme suma sum insgesamt average mittelwert durchschnitt gemiddelde moyenne promedio media",
  ),
  quality: list(
    "quality qualitat kwaliteit qualite calidad qualita status statut estado stato validatiestatus flag estimated measured quelle",
  ),
  estimated: list(
    "estimated estimate est e geschatzt ersatzwert geschat estimee estime estimada estimado stimato stimata substituted f s prognose ja yes true",
  ),
  unit: list("unit units einheit eenheid unite unidad unita uom"),
  missing: list("null nan n/a na none missing #n/a - -- — –"),
} as const;

const months = [
  "january januar januari janvier enero gennaio jänner",
  "february februar februari fevrier febrero febbraio",
  "march marz maart mars marzo mrz mrt",
  "april avril abril aprile",
  "may mai mei mayo maggio",
  "june juni juin junio giugno",
  "july juli juillet julio luglio",
  "august augustus aout agosto",
  "september septembre septiembre settembre",
  "october oktober octobre octubre ottobre",
  "november novembre noviembre",
  "december dezember decembre diciembre dicembre",
].map((names) => names.split(" "));

export const plain = (text: string): string =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("ß", "ss").toLowerCase();

const monthsByWord = new Map<string, number>();

/** 1 to 12 for a month's name or its beginning; 0 for anything else, or a beginning of several. */
export const monthOf = (word: string): number => {
  const known = monthsByWord.get(word);
  if (known !== undefined) return known;
  const name = plain(word);
  const found = months.flatMap((names, at) => (names.some((each) => each.startsWith(name)) ? [at + 1] : []));
  const month = name.length >= 3 && found.length === 1 ? (found[0] ?? 0) : 0;
  if (monthsByWord.size < 1000) monthsByWord.set(word, month);
  return month;
};

/** The words of a name: `EnergyUsed_kWh` has three. */
export const tokensOf = (name: string): string[] =>
  plain(name.replaceAll(/([\p{Ll}\d])(\p{Lu}\p{Ll})/gu, "$1 $2"))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

export const hasWord = (name: string, of: ReadonlySet<string>): boolean => tokensOf(name).some((word) => of.has(word));
