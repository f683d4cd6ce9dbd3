// Which keys do what.
import { Kbd } from '@mantine/core'
import { Dialog } from '../ui/Confirm.tsx'
import { Facts } from '../ui/atoms.tsx'
import { COMMON } from '../ui/words.ts'
import { useLanguage, useWords } from '../words/language.ts'
import type { Area } from './area.ts'
import { SHELL } from './words.ts'

export function ShortcutHelp({ areas, onClose }: { readonly areas: readonly Area[]; readonly onClose: () => void }) {
  const w = useWords(SHELL)
  const c = useWords(COMMON)
  const language = useLanguage()
  const keys = (text: string) => text.split(' ').map((key) => <Kbd key={key}>{key}</Kbd>)
  const going = areas.flatMap(({ key, title }) => (key ? [[title[language].title, keys(`g ${key}`)] as const] : []))
  return (
    <Dialog onClose={onClose} title={w.shortcuts} closeButtonProps={{ 'aria-label': c.close }}>
      <Facts
        of={[
          [w.keySearch, keys('/')],
          [w.keyRows, keys('j k')],
          [w.keyOpen, keys('Enter')],
          [w.keyMove, keys('J K')],
          ...going,
          [w.keyHelp, keys('?')],
        ]}
      />
    </Dialog>
  )
}
