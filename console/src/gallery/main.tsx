import { createRoot } from 'react-dom/client';
import '../look/all.css';
import './gallery.css';
import { Gallery } from './gallery.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the gallery.');
createRoot(root).render(<Gallery />);
