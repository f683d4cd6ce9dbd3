// A logo from a file: looked at here for what the gateway would refuse, so that nobody waits for it.
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp']
const BYTES_MAX = 32 * 1024
const PIXELS_MIN = 16
const PIXELS_MAX = 1024

export type LogoFault = 'type' | 'size' | 'pixels' | 'broken'

/** A data URI, or what is wrong with the file. */
export async function readLogo(file: File): Promise<{ readonly uri: string } | { readonly fault: LogoFault }> {
  if (!LOGO_TYPES.includes(file.type)) return { fault: 'type' }
  if (file.size > BYTES_MAX) return { fault: 'size' }
  const picture = await createImageBitmap(file).catch(() => null)
  if (picture === null) return { fault: 'broken' }
  const { width, height } = picture
  picture.close()
  if (Math.min(width, height) < PIXELS_MIN || Math.max(width, height) > PIXELS_MAX) return { fault: 'pixels' }
  return { uri: await uriOf(file) }
}

function uriOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'))
    reader.readAsDataURL(file)
  })
}
