"""What this GPU can do, and how far apart it holds a lab's variants."""
