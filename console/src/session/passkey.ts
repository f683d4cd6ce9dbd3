// Passkeys in the browser: what the gateway asks for is JSON, and so is what it gets (WebAuthn level 3). Browsers that lack the
// readers of that JSON have no passkeys here.
type Json = Readonly<Record<string, unknown>>
/** As the gateway takes it. */
export type PasskeyAnswer = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string } & Record<string, unknown>
}

type Readers = {
  readonly parseRequestOptionsFromJSON?: (json: Json) => PublicKeyCredentialRequestOptions
  readonly parseCreationOptionsFromJSON?: (json: Json) => PublicKeyCredentialCreationOptions
}

const readers = (): Readers =>
  typeof PublicKeyCredential === 'undefined' ? {} : (PublicKeyCredential as unknown as Readers)

export const hasPasskeys = (): boolean => readers().parseRequestOptionsFromJSON !== undefined

/** Null where the person has none, or said no. */
export async function askForPasskey(options: Json): Promise<PasskeyAnswer | null> {
  const publicKey = readers().parseRequestOptionsFromJSON?.(options)
  return publicKey ? answerOf(() => navigator.credentials.get({ publicKey })) : null
}

export async function makePasskey(options: Json): Promise<PasskeyAnswer | null> {
  const publicKey = readers().parseCreationOptionsFromJSON?.(options)
  return publicKey ? answerOf(() => navigator.credentials.create({ publicKey })) : null
}

async function answerOf(ask: () => Promise<Credential | null>): Promise<PasskeyAnswer | null> {
  try {
    const credential = (await ask()) as PublicKeyCredential | null
    return credential ? (credential.toJSON() as unknown as PasskeyAnswer) : null
  } catch (fault) {
    // Closed by the person, or no fitting key within the time.
    if (fault instanceof DOMException && ['NotAllowedError', 'AbortError', 'InvalidStateError'].includes(fault.name))
      return null
    throw fault
  }
}
