// Minor units of ISO 4217, where they are not two digits. Node's own table differs from it in places, and by version.
const WITHOUT = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ");
const WITH_THREE = "BHD IQD JOD KWD LYD OMR TND".split(" ");
const WITH_FOUR = "CLF UYW".split(" ");

/** Digits of a currency's minor unit. */
export const digitsOf = (currency: string): number => {
  if (WITHOUT.includes(currency)) return 0;
  if (WITH_THREE.includes(currency)) return 3;
  return WITH_FOUR.includes(currency) ? 4 : 2;
};

/** Whether the code is of a currency that Node knows. */
export const isCurrency = (code: string): boolean => Intl.supportedValuesOf("currency").includes(code);
