package org.example.text;

import java.util.List;

interface Splitter {
  List<String> split(String text);
}
