// Banks of the Philippines whose code is certain: what a recipient's `tag` names where a channel pays accounts at banks. Not all
// that a clearing house reaches, and no list of its members: any BIC or member code is taken, and the rail says which it knows.

export type ListedBank = { readonly bic: string; readonly name: string }

/** By ISO 9362, of their head offices. */
export const BANKS: readonly ListedBank[] = [
  { bic: 'AUBKPHMM', name: 'Asia United Bank' },
  { bic: 'BNORPHMM', name: 'BDO Unibank' },
  { bic: 'BOPIPHMM', name: 'Bank of the Philippine Islands (BPI)' },
  { bic: 'CHBKPHMM', name: 'China Banking Corporation (Chinabank)' },
  { bic: 'CPHIPHMM', name: 'Philippine Bank of Communications (PBCOM)' },
  { bic: 'DBPHPHMM', name: 'Development Bank of the Philippines (DBP)' },
  { bic: 'EWBCPHMM', name: 'East West Banking Corporation (EastWest)' },
  { bic: 'HSBCPHMM', name: 'HSBC Philippines' },
  { bic: 'MBBEPHMM', name: 'Maybank Philippines' },
  { bic: 'MBTCPHMM', name: 'Metropolitan Bank and Trust Company (Metrobank)' },
  { bic: 'PABIPHMM', name: 'Bank of Commerce' },
  { bic: 'PHTBPHMM', name: 'Philippine Trust Company (Philtrust Bank)' },
  { bic: 'PHVBPHMM', name: 'Philippine Veterans Bank' },
  { bic: 'PNBMPHMM', name: 'Philippine National Bank (PNB)' },
  { bic: 'RCBCPHMM', name: 'Rizal Commercial Banking Corporation (RCBC)' },
  { bic: 'SCBLPHMM', name: 'Standard Chartered Bank Philippines' },
  { bic: 'SETCPHMM', name: 'Security Bank' },
  { bic: 'TLBPPHMM', name: 'Land Bank of the Philippines (LandBank)' },
  { bic: 'UBPHPHMM', name: 'Union Bank of the Philippines (UnionBank)' },
]
