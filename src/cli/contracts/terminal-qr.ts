// A QR code drawn on the terminal with half blocks, two rows of modules to a line. Knows nothing of what its text means.
import { encodeQR } from 'qr'
import { paint, print } from '../output.ts'

/** Modules of light that every side needs (ISO/IEC 18004). */
const QUIET_MODULES = 4

/**
 * Draws the code of the text. In colours it is black on white, whatever the terminal's are; without colours its light
 * modules are drawn, for a terminal that writes light on dark.
 */
export function printQr(text: string): void {
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: QUIET_MODULES })
  const isColoured = paint('bold', ' ') !== ' '
  for (let row = 0; row < modules.length; row += 2) {
    const below = modules[row + 1] ?? []
    const line = (modules[row] ?? []).map((isDark, column) =>
      blockOf(isDark === isColoured, (below[column] ?? false) === isColoured),
    )
    print(`  ${paint('bgWhiteBright', paint('black', line.join('')))}`)
  }
}

function blockOf(isUpperDrawn: boolean, isLowerDrawn: boolean): string {
  if (isUpperDrawn) return isLowerDrawn ? '█' : '▀'
  return isLowerDrawn ? '▄' : ' '
}
