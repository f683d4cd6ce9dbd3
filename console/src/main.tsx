// The console begins: looks, queries, and who is signed in; the screens follow from there.
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import './ui/styles.ts'
import { queries } from './gateway.ts'
import { Console } from './shell/Console.tsx'
import { theme, variables } from './ui/theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
const root = document.getElementById('root')
if (!root) throw new Error('the page has no root')

createRoot(root).render(
  <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" getStyleNonce={() => nonce}>
    <QueryClientProvider client={queries}>
      <Console />
    </QueryClientProvider>
  </MantineProvider>,
)
