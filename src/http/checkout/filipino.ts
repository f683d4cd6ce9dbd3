// The payment page in Filipino.
import type { Words } from './english.ts'

export const FILIPINO: Words = {
  skip: 'Lumaktaw sa pagbabayad',
  language: 'Wika',
  testMode: 'TEST: walang totoong pera',
  payTo: (merchant) => `Magbayad sa ${merchant}`,
  forReference: 'Para sa',
  amount: 'Halaga',
  fee: 'Fee',
  youPay: 'Babayaran mo',
  youPaid: 'Binayaran mo',
  paidWith: 'Paraan ng pagbabayad',
  paidAt: 'Petsa ng pagbabayad',
  paidTo: 'Ibinayad sa',
  paidToWhom: (merchant) => `Ibinayad sa ${merchant}`,
  paymentNumber: 'Payment no.',
  reference: 'Reference no.',
  timeLeft: 'Natitirang oras',
  minutesLeft: '{n} minuto na lang para magbayad',
  minuteLeft: '1 minuto na lang para magbayad',
  timeUp: 'Ubos na ang oras',
  payBefore: 'Magbayad bago ang',
  copy: 'Kopyahin',
  copied: 'Nakopya na',
  copyFailed: 'Napili na: pindutin ang Ctrl+C para kopyahin',
  checkAgain: 'Tingnan muli',
  backTo: (merchant) => `Bumalik sa ${merchant}`,
  goingBack: (merchant) => `Babalik sa ${merchant} sa loob ng {n} segundo…`,
  stay: 'Manatili sa pahinang ito',
  print: 'I-print ang resibo',

  chooseTitle: 'Piliin kung paano magbabayad',
  waysFee: (fee) => `may ${fee} na fee`,
  waysNoFee: 'Walang fee',
  waysSame: 'Walang dagdag na fee, alinman ang piliin mo.',
  waysPrice: (amount, fee) => `Babayaran mo: ${amount}, ${fee}, alinman ang piliin mo.`,
  forms: {
    e_wallet: (name) => `${name} app o website`,
    code: 'I-scan gamit ang bangko o e-wallet',
    card_token: 'Credit o debit, sa pahina ng card provider',
    own_wallet: 'Ang wallet mo rito',
    asset: (asset, network) => `${asset} sa ${network}`,
  },
  noWays: (merchant) => `Walang paraan para bayaran ang halagang ito sa ngayon. Magtanong po sa ${merchant}.`,
  resume: (name) => `May nasimulan ka nang bayad gamit ang ${name}.`,
  resumeLink: 'Ituloy ito',

  walletText:
    'Ang may hawak ng wallet sa gateway na ito ay nagbabayad gamit ang sarili niyang API key. Ibigay sa kaniya ang code na ito, o patakbuhin ang command.',
  walletCode: 'Code ng bayad',
  walletCommand: 'Command',

  cardPlace: 'card provider',

  cryptoRefund: 'Address mo para sa perang ibabalik (opsiyonal)',
  cryptoRefundHint:
    'Kung sumobra o nahuli ang padala mo, doon ito ibabalik. Gamitin ang sarili mong address, hindi ang sa isang exchange.',
  cryptoShow: 'Ipakita ang address na babayaran',

  startingTitle: (name) => `Kumokonekta sa ${name}…`,
  startingText: 'Sandali lang po ito. Huwag munang magbayad sa ibang paraan.',
  another: 'Pumili ng ibang paraan ng pagbabayad',

  redirectTitle: (name) => `Magbayad gamit ang ${name}`,
  redirectText: (name, amount) => `Kumpirmahin ang bayad na ${amount} sa ${name}. Babalik ka rito pagkatapos.`,
  redirectGo: (name) => `Magpatuloy sa ${name}`,
  returnedTitle: (name) => `Hinihintay ang ${name}`,
  returnedText: (name) =>
    `Lalabas dito kapag nakumpirma na ng ${name} ang bayad mo. Hindi ka pa ba tapos doon? Magpatuloy sa ibaba.`,

  qrTitle: 'I-scan para magbayad',
  qrPayee: 'Lalabas sa app mo:',
  qrPicture: 'QR code ng bayad',
  qrSteps: [
    'Buksan ang app ng iyong bangko o e-wallet at piliin ang pagbabayad gamit ang QR.',
    'I-scan ang code. Sa teleponong ito ka ba magbabayad? I-save ang code o mag-screenshot, saka i-upload sa app.',
    'Tiyakin ang halaga at pangalan, saka kumpirmahin.',
  ],
  qrSave: 'I-save ang QR code',
  qrText: 'Code bilang teksto',

  addressTitle: (asset) => `Magpadala ng ${asset}`,
  addressRestTitle: (asset) => `Ipadala ang kulang sa ${asset}`,
  addressWarn: (asset, network) => `${asset} lamang ang ipadala, at sa ${network} lamang. Maaaring mawala ang iba pa.`,
  addressPicture: 'QR code ng link ng bayad',
  addressOpen: 'Buksan sa wallet app',
  address: 'Address',
  addressAmount: 'Halagang ipapadala',
  network: 'Network',
  confirmations: (done, needed) => `${done} sa ${needed} kumpirmasyon`,
  confirmationsNeeded: (needed) => `Bibilangin ang bayad mo pagkaraan ng ${needed} kumpirmasyon sa network.`,

  lapsedTitle: 'Lipas na ang presyong ito',
  lapsedText:
    'Pumili po muli para sa bagong presyo. Kung nakapagpadala ka na, huwag nang magpadala ulit: maghintay sa pahinang ito.',

  processingTitle: 'Pinoproseso na ang bayad mo',
  confirmingText:
    'Nakita na ang pera mo at kinukumpirma na ito ng network. Maaari mong isara ang pahinang ito: walang mawawala.',
  processingText: (name) => `Hinihintay namin ang ${name}. Maaari mong isara ang pahinang ito: walang mawawala.`,
  closingTitle: 'Sandali lang po',
  closingText: (name) => `Isinasara na ang bayad na ito. Tinatanong namin sa ${name} kung may naibayad.`,

  paidTitle: 'Bayad na. Salamat!',
  receipt: 'Resibo',
  cancelledTitle: 'Kinansela ang bayad na ito',
  cancelledText: (merchant) => `Kinansela ito ng ${merchant}. Huwag na po itong bayaran.`,
  expiredTitle: 'Lipas na ang bayad na ito',
  expiredText: (merchant) => `Huwag na po itong bayaran. Humingi ng bago sa ${merchant}.`,

  part: (received, rest) =>
    `Dumating na ang ${received}. Kulang pa ng ${rest}: ipadala po ang natitira sa parehong paraan.`,
  unfit: (amount) => `Dumating ang ${amount}, na hindi tamang halaga. Ibabalik ito sa iyo.`,
  excess: (amount) => `Sumobra ng ${amount} ang bayad mo. Ibabalik ito sa iyo.`,
  late: (amount) => `Huli na nang dumating ang ${amount}. Ibabalik ito sa iyo.`,
  held: (amount, merchant) =>
    `Dumating ang ${amount} na hindi tugma. Ligtas ito ngunit hindi maibabalik nang kusa: makipag-ugnayan po sa ${merchant} at ibigay ang payment no.`,
  heldExcess: (amount, merchant) =>
    `Sumobra ng ${amount} ang bayad mo. Ligtas ito ngunit hindi maibabalik nang kusa: makipag-ugnayan po sa ${merchant} at ibigay ang payment no.`,
  returning: (amount) => `Pabalik na sa iyo ang ${amount}.`,
  returned: (amount) => `Naibalik na sa iyo ang ${amount}.`,
  refunding: (amount, merchant) => `Ibinabalik ng ${merchant} sa iyo ang ${amount}.`,
  refunded: (amount, merchant) => `Naibalik na ng ${merchant} sa iyo ang ${amount}.`,

  failedTitle: (name) => `Hindi natuloy ang bayad gamit ang ${name}`,
  failures: {
    declined: 'Tinanggihan ito. Walang nabayaran.',
    funds: 'Kulang ang pera sa account. Walang nabayaran.',
    authentication: 'Hindi nakumpirma gamit ang tamang code. Walang nabayaran.',
    stopped: 'Kinansela ito bago may nabayaran.',
    amount: 'Hindi tamang halaga ang dumating.',
    token: 'Hindi kilala ang token ng card na ito, o nagamit na.',
    other: 'Walang nabayaran.',
  },
  tryAgain: 'Subukan muli',
  tryAnother: 'Subukan po muli, o pumili ng ibang paraan.',
  problems: {
    method: 'Hindi magagamit ang paraang ito sa ngayon. Pumili po ng iba.',
    refundAddress: 'Mali ang address para sa perang ibabalik. Itama ito, o iwanang walang laman.',
    processing: 'May pinoproseso nang bayad. Hintayin po muna ito.',
    exhausted: 'Napakarami nang pagtatangka. Humingi po ng bagong bayad.',
    away: 'Abala ang gateway sa ngayon. Walang nabayaran. Subukan po muli.',
    crossSite: 'Galing sa ibang site ang kahilingang iyon kaya hindi isinagawa. Dito po pumili.',
  },

  helpTitle: 'Mga tanong',
  help: (merchant) => `May tanong tungkol sa bayad na ito? Magtanong po sa ${merchant}.`,

  notFoundTitle: 'Walang bayad dito',
  notFoundText: 'Kulang o mali ang link. Buksan po itong muli mula sa pinanggalingan nito.',
  faultTitle: 'Hindi magamit ang pahinang ito sa ngayon',
  faultText: 'Subukan po muli maya-maya. Kung nakabayad ka na, huwag nang magbayad muli: walang mawawala.',
}
