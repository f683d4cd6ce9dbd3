// The looks of the console, light and dark. Pairs of text and ground reach WCAG AA (a test runs axe over each screen).
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const BLUE: MantineColorsTuple = [
  '#e8f1fe',
  '#cfe1fc',
  '#a9c9fa',
  '#86b8ff',
  '#5a97ef',
  '#3a7be0',
  '#1f66d0',
  '#0b57c2',
  '#0a4ba8',
  '#083d8a',
]
const RED: MantineColorsTuple = [
  '#fdecea',
  '#f8cfca',
  '#f5b5ae',
  '#ffb9b1',
  '#e0756b',
  '#cf3f34',
  '#b92e24',
  '#a3241b',
  '#8a1c15',
  '#6d150f',
]
const DARK: MantineColorsTuple = [
  '#e6ecf5',
  '#c3cede',
  '#a8b5c7',
  '#8595aa',
  '#2d394a',
  '#243042',
  '#1a2330',
  '#121923',
  '#0c1118',
  '#080c12',
]

export const theme = createTheme({
  primaryColor: 'blue',
  // White stands on both.
  primaryShade: { light: 7, dark: 6 },
  colors: { blue: BLUE, red: RED, dark: DARK },
  // Its lock writes a style element without the page's nonce, which the policy refuses.
  components: { Modal: { defaultProps: { lockScroll: false } } },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } } },
})

/** Grounds and inks of notes and badges; the payment page has the same. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#14202f',
    '--mantine-color-dimmed': '#4a5a6e',
    '--mantine-color-placeholder': '#5b6a7e',
    '--mantine-color-error': '#a3241b',
    '--mantine-color-anchor': '#0b57c2',
    '--mantine-color-default-border': '#cfd8e3',
    '--ground': '#f4f6fa',
    '--line': '#dde4ed',
    '--info': '#e8f1fe',
    '--ink-info': '#123f80',
    '--warn': '#fff3d0',
    '--ink-warn': '#5a4100',
    '--bad': '#fdecea',
    '--ink-bad': '#8a1c15',
    '--good': '#e5f5ea',
    '--ink-good': '#125a2b',
    '--plain': '#e9edf3',
    '--ink-plain': '#33415a',
  },
  dark: {
    '--mantine-color-dimmed': '#a8b5c7',
    '--mantine-color-placeholder': '#96a4b8',
    '--mantine-color-error': '#ffb9b1',
    '--mantine-color-anchor': '#86b8ff',
    '--ground': '#0c1118',
    '--line': '#2d394a',
    '--info': '#152a47',
    '--ink-info': '#b9d6ff',
    '--warn': '#362b0c',
    '--ink-warn': '#f7dd97',
    '--bad': '#3b1715',
    '--ink-bad': '#ffb9b1',
    '--good': '#12301d',
    '--ink-good': '#9be0b2',
    '--plain': '#222d3d',
    '--ink-plain': '#c3cede',
  },
})
